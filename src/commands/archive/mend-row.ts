import { accountIdOf } from '../../domain/person/account.ts'
import type { Post } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import type { ArchivedName } from '../../store/archive/archived-tables.ts'
import type { NewIds } from './new-ids.ts'

/** Columns with ids that are the same on every installation, or of people of the other one. */
const KEPT: ReadonlySet<string> = new Set(['post_id', 'user_id', 'actor_id', 'assignee_id'])

/** Tables that are not imported: members are invited, and refunds belong to the other workspace. */
export const NOT_IMPORTED: ReadonlySet<ArchivedName> = new Set(['membership', 'payment'])

export interface MendedRow {
  row: ArchiveRow
  /** The new id of the mention's account, and the one by which later posts of the author find it. */
  account: readonly [Uuid, Uuid] | null
}

export interface Mending {
  workspaceId: Uuid
  ids: NewIds
  columns: ReadonlyMap<string, string>
  /** The last day (UTC) whose mentions are charged. */
  settledThrough: string
}

/**
 * An archived row as it is stored in the new workspace: with new ids, switched off, and without charges. `post` is that
 * of a mention.
 */
export function mendRow(table: ArchivedName, row: ArchiveRow, mending: Mending, post: Post | null = null): MendedRow {
  const mapped = Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) => {
      const type = mending.columns.get(column)
      if (type === undefined) return []
      return [[column, holdsIds(column, type) ? mending.ids.within(value) : value]]
    }),
  )
  const stored = { ...mapped, workspace_id: mending.workspaceId, ...SWITCHED[table]?.(mapped, mending) }
  if (post === null) return { row: stored, account: null }
  const own = accountIdOf(mending.workspaceId, post.platform, post.author)
  const former = (stored as ArchiveRow)['account_id'] as Uuid | null
  if (own === null || former === null) return { row: { ...stored, account_id: null }, account: null }
  return { row: { ...stored, account_id: own }, account: [former, own] }
}

function holdsIds(column: string, type: string): boolean {
  return !KEPT.has(column) && /^(uuid|uuid\[\]|jsonb?)$/.test(type)
}

type Switch = (row: ArchiveRow, mending: Mending) => ArchiveRow

const SWITCHED: Partial<Record<ArchivedName, Switch>> = {
  keyword: () => ({ muted: true, paused_for_balance: false, paused_for_noise: false, paused_for_cap: false }),
  channel: (row) => ({ enabled: false, grant_id: null, config: unconfirmed(row['config'] as ArchiveRow) }),
  person: () => ({ words: '' }),
  // The counts come from the mentions.
  account: () => ({
    mentions: 0,
    relevant: 0,
    positive: 0,
    neutral: 0,
    negative: 0,
    intent_counts: [],
    kind_counts: [],
    first_seen_at: null,
    last_seen_at: null,
  }),
  mention: () => ({ assignee_id: null, facets: [], common_words: 0 }),
  delivery: ({ status }) =>
    status === 'pending' || status === 'held' ? { status: 'cancelled', error: 'the workspace was imported' } : {},
  audit_entry: ({ target_id: id }, { ids }) => ({ target_id: ids.within(id) }),
  usage_day: ({ day }, { settledThrough }) => ((day as string) > settledThrough ? { mention_units: 0 } : {}),
}

/**
 * Recipients of mail confirm anew, chats are connected anew, and headers of webhooks, which the archive does not hold,
 * are given anew.
 */
function unconfirmed(config: ArchiveRow): ArchiveRow {
  const recipients = config['recipients'] as readonly object[] | undefined
  if (recipients !== undefined)
    return { ...config, recipients: recipients.map((recipient) => ({ ...recipient, confirmedAt: null })) }
  if ('chatId' in config) return { ...config, chatId: null, chatType: null, chatName: null }
  return 'url' in config ? { ...config, headers: [] } : config
}
