import { REMOVED_WITH_IT, WORKSPACE_TABLES, type WorkspaceTable } from '../archive/workspace-tables.ts'

export type TableOfWorkspace = WorkspaceTable | (typeof REMOVED_WITH_IT)[number]

/**
 * How a table moves: `ahead`, while nobody sees the copy; `at opening`, because a process of the other cell takes up
 * its rows as soon as it sees them; or `never`.
 */
type Way = 'ahead' | 'at opening' | 'never'

const OTHERS: Partial<Record<TableOfWorkspace, Way>> = {
  // Lists of work.
  score_queue: 'at opening',
  delivery_queue: 'at opening',
  keyword_query: 'at opening',
  // Nobody gets in before.
  api_key: 'at opening',
  oauth_code: 'at opening',
  oauth_token: 'at opening',
  oauth_grant: 'at opening',
  membership: 'at opening',
  user_session: 'at opening',
  // Of the processes and the log of one cell.
  workspace_follower: 'never',
  keyword_change: 'never',
  model_reservation: 'never',
  // Derived by jobs.
  mention_block: 'never',
  mention_block_figures: 'never',
  words_to_renew: 'never',
  // Handed over as long as any come.
  awaited_match: 'never',
}

/** Rows that others refer to come first. */
const IN_ORDER: readonly TableOfWorkspace[] = [...[...WORKSPACE_TABLES].reverse(), ...REMOVED_WITH_IT]

export const MOVED_AHEAD = IN_ORDER.filter((table) => (OTHERS[table] ?? 'ahead') === 'ahead')
export const MOVED_AT_OPENING = IN_ORDER.filter((table) => OTHERS[table] === 'at opening')

/** Rows are read in this order and numbered anew, in one transaction. */
export const ORDERED_BY: Partial<Record<TableOfWorkspace, string>> = { ledger_entry: 'place' }

/** Rows at once, of tables whose rows can have megabytes. */
export const HEAVY_ROWS = 50
export const HEAVY_TABLES: ReadonlySet<TableOfWorkspace> = new Set([
  'delivery',
  'delivery_attempt',
  'inspected_request',
])

/** Ids of accounts, which have another id where the other cell knew the person before. */
export const USER_COLUMNS: Partial<Record<TableOfWorkspace, string>> = {
  membership: 'user_id',
  mention: 'assignee_id',
  mention_change: 'actor_id',
  audit_entry: 'actor_id',
  invitation: 'invited_by',
  oauth_grant: 'user_id',
  billing_customer: 'user_id',
  billing_profile: 'payment_method_user_id',
  slack_connection: 'connected_by_id',
  slack_journey: 'asked_by_id',
  user_session: 'user_id',
}

/** Columns with a value of their own at each cell. */
export const UNMOVED_COLUMNS: Partial<Record<TableOfWorkspace, readonly string[]>> = {
  delivery_queue: ['era'],
}

/** Secrets, which are compared as they are when opened. */
export const SEALED_COLUMNS: Partial<Record<TableOfWorkspace, string>> = {
  channel: 'secret_sealed',
  slack_connection: 'token_sealed',
  request_answer: 'answer_sealed',
}
