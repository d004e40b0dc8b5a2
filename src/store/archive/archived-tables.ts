import type { REMOVED_WITH_IT, WorkspaceTable } from './workspace-tables.ts'

/** How the rows of a table stand in the archive of a workspace. */
export interface ArchivedTable {
  /** The primary key without `workspace_id`, with the types of its columns; rows come in its order. */
  key: Readonly<Record<string, 'uuid' | 'text' | 'date' | 'smallint' | 'bigint'>>
  /** Columns that are left out: secrets, and what is derived from other columns. */
  without?: readonly string[]
  /** An expression over the row `t` that replaces or adds columns. */
  with?: string
}

const BY_ID = { id: 'uuid' } as const

/** Tables of the archive. A row comes after the rows that it refers to. */
export const ARCHIVED_TABLES = {
  company: { key: {} },
  workspace_filters: { key: {} },
  membership: {
    key: BY_ID,
    with: "(select jsonb_build_object('email', u.email, 'name', u.name) from user_account u where u.id = t.user_id)",
  },
  keyword_group: { key: BY_ID },
  keyword: { key: BY_ID },
  keyword_counter: { key: { keyword_id: 'uuid' } },
  keyword_expired: { key: { keyword_id: 'uuid' } },
  keyword_recent: { key: { keyword_id: 'uuid', day: 'date' } },
  removed_keyword: { key: BY_ID },
  workspace_place: {
    key: BY_ID,
    with:
      "(select jsonb_build_object('platform', p.platform, 'address', p.address, 'title', p.title) from place p " +
      'where p.id = t.place_id)',
  },
  saved_view: { key: BY_ID, without: ['feed_hash'] },
  segment: { key: BY_ID },
  channel: {
    key: BY_ID,
    without: ['secret_sealed'],
    with: "jsonb_build_object('config', t.config - 'headers' - 'headersSealed')",
  },
  alert: { key: BY_ID },
  alert_channel: { key: { alert_id: 'uuid', channel_id: 'uuid' } },
  person: { key: BY_ID, without: ['words'] },
  account: { key: BY_ID },
  mention: {
    key: BY_ID,
    without: ['facets', 'common_words'],
    with: "jsonb_build_object('post', (select to_jsonb(p) from post p where p.id = t.post_id))",
  },
  mention_change: { key: { mention_id: 'uuid', id: 'uuid' } },
  attention_item: { key: BY_ID },
  delivery: { key: BY_ID },
  delivery_attempt: { key: { delivery_id: 'uuid', number: 'smallint' }, without: ['request'] },
  email_opt_out: { key: { email: 'text' } },
  // In the order in which the balance moved.
  ledger_entry: { key: { place: 'bigint' }, without: ['place'] },
  ledger_posting: { key: { entry_id: 'uuid', account: 'text' } },
  payment: { key: { reference: 'text' } },
  usage_day: { key: { day: 'date', keyword_id: 'uuid', platform: 'smallint' } },
  keyword_day: { key: { day: 'date', keyword_id: 'uuid' } },
  model_day: { key: { day: 'date' } },
  compat_sequence: { key: {} },
  compat_number: { key: BY_ID },
  audit_entry: { key: BY_ID },
} as const satisfies Partial<Record<TableOfWorkspace, ArchivedTable>>

type TableOfWorkspace = WorkspaceTable | (typeof REMOVED_WITH_IT)[number]

export type ArchivedName = keyof typeof ARCHIVED_TABLES

const CREDENTIAL = 'A credential or part of one.'
const UNDER_WAY = 'The state of work in progress.'
const DERIVED = 'Derived from rows of the archive.'
const SHORT_LIVED = 'Forgotten within days.'

/** Tables that the archive leaves out, with the reason. */
export const LEFT_TABLES: Readonly<Record<Exclude<TableOfWorkspace, ArchivedName>, string>> = {
  api_key: CREDENTIAL,
  oauth_code: CREDENTIAL,
  oauth_token: CREDENTIAL,
  oauth_grant: CREDENTIAL,
  invitation: CREDENTIAL,
  telegram_link: CREDENTIAL,
  slack_journey: CREDENTIAL,
  slack_connection: CREDENTIAL,
  user_session: CREDENTIAL,
  billing_customer: 'An id at the payment provider.',
  billing_profile: 'Ids at the payment provider.',
  workspace_follower: UNDER_WAY,
  delivery_queue: UNDER_WAY,
  delivery_held: UNDER_WAY,
  digest_progress: UNDER_WAY,
  score_queue: UNDER_WAY,
  awaited_match: UNDER_WAY,
  words_to_renew: UNDER_WAY,
  keyword_query: UNDER_WAY,
  keyword_change: UNDER_WAY,
  kind_change: UNDER_WAY,
  account_change: UNDER_WAY,
  wallet_spent: UNDER_WAY,
  owner_notice: UNDER_WAY,
  model_reservation: UNDER_WAY,
  attention_gap: UNDER_WAY,
  delivery_unaccepted: DERIVED,
  delivery_by_more_alerts: DERIVED,
  attention_hour: DERIVED,
  mention_block: DERIVED,
  mention_block_figures: DERIVED,
  people_total: DERIVED,
  inspected_request: SHORT_LIVED,
  inspection: SHORT_LIVED,
  email_receipt: SHORT_LIVED,
  email_sent: SHORT_LIVED,
  confirmation_mail: SHORT_LIVED,
  rejected_post: SHORT_LIVED,
  model_verdict: SHORT_LIVED,
  request_answer: SHORT_LIVED,
}
