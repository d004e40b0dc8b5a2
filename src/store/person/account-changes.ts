import { RELEVANCE_THRESHOLD, SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import type { AccountChange } from '../../domain/person/person.ts'
import { platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

// Counts of accounts and people do not move with mentions: each change appends a row, and `foldPeople` sums the rows.

export const COUNTED_COLUMNS =
  'm.workspace_id, m.id, m.keyword_id, m.post_id, m.account_id, m.platform, m.published_at, m.scored_at, ' +
  'm.relevance, m.sentiment, m.intents'

/**
 * A subquery for scored mentions that came or went; `rows` names a relation of COUNTED_COLUMNS. The caller holds the
 * counters, so that the counted kind cannot change meanwhile.
 */
export function notingMentions(rows: string, change: 'come' | 'go'): string {
  const sign = change === 'come' ? '' : '-'
  const isSentiment = (sentiment: Sentiment) =>
    `${sign}coalesce(m.sentiment = ${SENTIMENTS.indexOf(sentiment)}, false)::int`
  return `insert into account_change (workspace_id, account_id, post_id, platform, seen_at, kind, mentions, relevant,
      positive, neutral, negative, intents)
    select m.workspace_id, m.account_id, m.post_id, m.platform, m.published_at, coalesce(${COUNTED_KIND}, k.kind),
      ${sign}1, ${sign}coalesce(m.relevance >= ${RELEVANCE_THRESHOLD}, false)::int,
      ${isSentiment('positive')}, ${isSentiment('neutral')}, ${isSentiment('negative')}, coalesce(m.intents, 0)
    from ${rows} m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
      where m.account_id is not null and m.scored_at is not null`
}

/** What mention `m` counts for while a kind change spreads; null at other times. */
const COUNTED_KIND = `(select case when m.post_id <= c.through then c.to_kind else c.from_kind end from kind_change c
  where c.workspace_id = m.workspace_id and c.keyword_id = m.keyword_id order by c.id limit 1)`

export interface VerdictChange {
  workspaceId: Uuid
  accountId: Uuid
  relevant: number
  positive: number
  neutral: number
  negative: number
}

const CHANGES = new GivenRows<VerdictChange>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  account_id: given.uuid(({ accountId }) => accountId),
  relevant: given.smallint(({ relevant }) => relevant),
  positive: given.smallint(({ positive }) => positive),
  neutral: given.smallint(({ neutral }) => neutral),
  negative: given.smallint(({ negative }) => negative),
})

export async function noteAccountChanges(tx: Transaction, rows: readonly VerdictChange[]): Promise<void> {
  const moved = rows.filter(isChange)
  if (moved.length === 0) return
  await tx.run(
    'note-account-changes',
    `insert into account_change (${CHANGES.names}, mentions, intents)
     select ${CHANGES.selected}, 0, 0 from ${CHANGES.unnested}`,
    CHANGES.values(moved),
  )
}

function isChange({ relevant, positive, neutral, negative }: VerdictChange): boolean {
  return relevant !== 0 || positive !== 0 || neutral !== 0 || negative !== 0
}

/** In order of id. Skips along the index, because one workspace may have very many changes. */
export async function findChangedWorkspaces(db: Database, after: Uuid, limit: number): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    with recursive changed (id) as (
      (select workspace_id from account_change where workspace_id > ${after} order by workspace_id limit 1)
      union all
      select next.workspace_id from changed cross join lateral (
        select c.workspace_id from account_change c where c.workspace_id > changed.id order by c.workspace_id
          limit 1) next)
    select id from changed limit ${limit}`)
  return rows.map((row) => row.id)
}

export async function forgetOrphanedChanges(db: Database, workspaceIds: readonly Uuid[]): Promise<void> {
  await db.query(sql`
    delete from account_change c using unnest(${workspaceIds}::uuid[]) as t (id)
      where c.workspace_id = t.id and not exists (select from workspace w where w.id = t.id)`)
}

/** The caller holds the workspaces' people. */
export async function takeChanges(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  limit: number,
): Promise<AccountChange[]> {
  const rows = await tx.query<Omit<AccountChange, 'platform'> & { platform: number | null }>(sql`
    delete from account_change c using (
      select oldest.* from unnest(${workspaceIds}::uuid[]) as t (workspace_id)
      cross join lateral (select workspace_id, id from account_change where workspace_id = t.workspace_id order by id
        limit ${limit}) oldest) taken
    where c.workspace_id = taken.workspace_id and c.id = taken.id
    returning c.workspace_id as "workspaceId", c.account_id as "accountId", c.post_id as "postId", c.platform,
      c.seen_at as "seenAt", c.kind,
      c.mentions, c.relevant, c.positive, c.neutral, c.negative, c.intents`)
  return rows.map((row) => ({ ...row, platform: row.platform === null ? null : platformFromNumber(row.platform) }))
}
