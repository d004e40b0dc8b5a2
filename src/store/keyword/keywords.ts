import type { Keyword, KeywordKind, ReviewSource } from '../../domain/keyword/keyword.ts'
import { queriesOf } from '../../domain/keyword/queries.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { forgetRecent, judgeAnew } from '../counts/keyword-counts.ts'
import { sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/cancel-deliveries.ts'
import { markBlocksOfKeywordsStale } from '../filter/mention-blocks.ts'
import { forgetInFilters } from '../filter/stored-filters.ts'
import { notifyFollowers } from '../follower/followers.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/account-changes.ts'
import { noteKindChange } from '../person/kind-changes.ts'
import { joinQueries, resumeQueries, setQueries } from '../source/keyword-queries.ts'

/** Announces a workspace's changed keywords: its id and theirs, separated by spaces. */
export const KEYWORD_CHANNEL = 'earshot_keyword'

export interface KeywordRow {
  workspace_id: Uuid
  id: Uuid
  group_id: Uuid
  term: string
  kind: KeywordKind
  platforms: SearchPlatform[] | null
  context: string | null
  required_terms: string[]
  required_mode: 'any' | 'all'
  excluded_terms: string[]
  excluded_authors: string[]
  excluded_author_keys: string[]
  case_sensitive: boolean
  muted: boolean
  paused_for_balance: boolean
  paused_for_noise: boolean
  paused_for_cap: boolean
  cap_own: number | null
  review_sources: (Omit<ReviewSource, 'connectedAt'> & { connectedAt: string })[]
  created_at: Date
  judged_since: Date
  collects_since: Date | null
}

export function keywordFromRow(row: KeywordRow): Keyword {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    groupId: row.group_id,
    term: row.term,
    kind: row.kind,
    platforms: row.platforms,
    context: row.context,
    matching: {
      requiredTerms: row.required_terms,
      requiredMode: row.required_mode,
      excludedTerms: row.excluded_terms,
      excludedAuthors: row.excluded_authors,
      caseSensitive: row.case_sensitive,
    },
    excludedAuthorKeys: row.excluded_author_keys,
    muted: row.muted,
    pausedForBalance: row.paused_for_balance,
    pausedForNoise: row.paused_for_noise,
    pausedForCap: row.paused_for_cap,
    capOwn: row.cap_own,
    reviewSources: row.review_sources.map((source) => ({ ...source, connectedAt: new Date(source.connectedAt) })),
    createdAt: row.created_at,
    judgedSince: row.judged_since,
    collectsSince: row.collects_since,
  }
}

export async function lockKeyword(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<Keyword | null> {
  const rows = await tx.query<KeywordRow>(
    sql`select * from keyword where workspace_id = ${workspaceId} and id = ${id} for update`,
  )
  return rows[0] ? keywordFromRow(rows[0]) : null
}

/** Violates `keyword_term` when the group has the term. */
export async function insertKeywords(
  tx: Transaction,
  workspaceId: Uuid,
  made: readonly { keyword: Keyword; folded: string }[],
): Promise<void> {
  if (made.length === 0) return
  await tx.query(sql`
    insert into keyword (workspace_id, id, group_id, term, term_folded, kind, platforms, context, required_terms,
      required_mode, excluded_terms, excluded_authors, excluded_author_keys,
      case_sensitive, muted, cap_own, review_sources, created_at, judged_since, collects_since)
    select ${workspaceId}::uuid, k.* from jsonb_to_recordset(${JSON.stringify(made.map(rowOf))}::jsonb) as k (id uuid,
      group_id uuid, term text, term_folded text, kind text,
      platforms text[], context text, required_terms text[], required_mode text, excluded_terms text[],
        excluded_authors text[], excluded_author_keys text[],
      case_sensitive boolean, muted boolean, cap_own int, review_sources jsonb, created_at timestamptz,
        judged_since timestamptz, collects_since timestamptz)`)
  await tx.query(sql`
    insert into keyword_counter (workspace_id, keyword_id, month)
    select ${workspaceId}::uuid, id, month from unnest(${made.map(({ keyword }) => keyword.id)}::uuid[],
      ${made.map(({ keyword }) => dayOf(monthStart(keyword.createdAt)))}::date[]) as t (id, month)`)
  const asked = made.flatMap(({ keyword, folded }) =>
    queriesOf(keyword, folded).map((query) => ({
      keywordId: keyword.id,
      query,
      lookBack: true,
      since: keyword.createdAt,
    })),
  )
  await joinQueries(tx, workspaceId, asked)
  await announceKeywords(
    tx,
    workspaceId,
    made.map(({ keyword }) => keyword.id),
  )
}

function rowOf({
  keyword,
  folded,
}: {
  keyword: Keyword
  folded: string
}): Omit<KeywordRow, 'workspace_id' | `paused_for_${string}`> & { term_folded: string } {
  const { matching } = keyword
  return {
    id: keyword.id,
    group_id: keyword.groupId,
    term: keyword.term,
    term_folded: folded,
    kind: keyword.kind,
    platforms: keyword.platforms && [...keyword.platforms],
    context: keyword.context,
    required_terms: [...matching.requiredTerms],
    required_mode: matching.requiredMode,
    excluded_terms: [...matching.excludedTerms],
    excluded_authors: [...matching.excludedAuthors],
    excluded_author_keys: [...keyword.excludedAuthorKeys],
    case_sensitive: matching.caseSensitive,
    muted: keyword.muted,
    cap_own: keyword.capOwn,
    review_sources: keyword.reviewSources.map((source) => ({
      ...source,
      connectedAt: source.connectedAt.toISOString(),
    })),
    created_at: keyword.createdAt,
    judged_since: keyword.judgedSince,
    collects_since: keyword.collectsSince,
  }
}

/**
 * Stores all but the term, and updates the queries. New review pages look back; new platforms begin at `at`, and so
 * does everything when the keyword did not run.
 */
export async function updateKeyword(
  tx: Transaction,
  keyword: Keyword,
  { before, at }: { before: Keyword; at: Date },
): Promise<void> {
  const { matching } = keyword
  await tx.query(sql`
    update keyword set group_id = ${keyword.groupId}, kind = ${keyword.kind}, platforms = ${keyword.platforms}::text[],
      context = ${keyword.context},
      required_terms = ${matching.requiredTerms}::text[], required_mode = ${matching.requiredMode},
        excluded_terms = ${matching.excludedTerms}::text[],
      excluded_authors = ${matching.excludedAuthors}::text[],
        excluded_author_keys = ${keyword.excludedAuthorKeys}::text[], case_sensitive = ${matching.caseSensitive},
      muted = ${keyword.muted}, paused_for_balance = ${keyword.pausedForBalance},
        paused_for_noise = ${keyword.pausedForNoise}, paused_for_cap = ${keyword.pausedForCap},
      cap_own = ${keyword.capOwn}, review_sources = ${JSON.stringify(keyword.reviewSources)}::jsonb,
        judged_since = ${keyword.judgedSince},
      collects_since = ${keyword.collectsSince}
    where workspace_id = ${keyword.workspaceId} and id = ${keyword.id}`)
  // Also backwards, after a change by a process whose clock was ahead.
  if (keyword.judgedSince.getTime() !== before.judgedSince.getTime())
    await judgeAnew(tx, keyword.workspaceId, [keyword.id], keyword.judgedSince)
  if (keyword.kind !== before.kind)
    await noteKindChange(tx, keyword.workspaceId, keyword.id, { from: before.kind, to: keyword.kind })
  await followQueries(tx, keyword, before, at)
  await announceKeywords(tx, keyword.workspaceId, [keyword.id])
}

async function followQueries(tx: Transaction, keyword: Keyword, before: Keyword, at: Date): Promise<void> {
  const { workspaceId, id: keywordId } = keyword
  const asks = ({ platforms, reviewSources }: Keyword) => JSON.stringify([platforms, reviewSources])
  if (asks(keyword) !== asks(before)) {
    const [row] = await tx.query<{ term_folded: string }>(
      sql`select term_folded from keyword where workspace_id = ${workspaceId} and id = ${keywordId}`,
    )
    const queries = queriesOf(keyword, row!.term_folded)
    await setQueries(tx, { workspaceId, keywordId, queries, looksBack: ({ term }) => term === null, at })
  }
  const runs = ({ muted, pausedForCap }: Keyword) => !muted && !pausedForCap
  if (!runs(before) && runs(keyword)) await resumeQueries(tx, workspaceId, [keywordId], at)
}

/** The cost stays in usage, under the last name. Skips unknown ids. */
export async function removeKeywords(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return
  // Collecting and scoring lock the counter first, so no new mention or delivery can appear.
  await tx.query(
    sql`select keyword_id from keyword_counter where workspace_id = ${workspaceId} and keyword_id = any(${ids}::uuid[])
        order by keyword_id for update`,
  )
  await tx.query(sql`
    insert into removed_keyword (workspace_id, id, term, group_id, group_name, removed_at)
    select k.workspace_id, k.id, k.term, k.group_id, g.name, ${at} from keyword k
      join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
    where k.workspace_id = ${workspaceId} and k.id = any(${ids}::uuid[])`)
  await cancelDeliveries(
    tx,
    sql`d.workspace_id = ${workspaceId} and d.mention_id in (select m.id from mention m
        where m.workspace_id = ${workspaceId} and m.keyword_id = any(${ids}::uuid[]))`,
    'the keyword was removed',
  )
  await tx.query(sql`
    with gone as (delete from mention m where m.workspace_id = ${workspaceId} and m.keyword_id = any(${ids}::uuid[])
      returning ${sql.raw(COUNTED_COLUMNS)}),
    noted as (${sql.raw(notingMentions('gone', 'go'))})
    delete from score_queue q using gone where q.workspace_id = ${workspaceId} and q.mention_id = gone.id`)
  await markBlocksOfKeywordsStale(tx, workspaceId, ids)
  await forgetInFilters(tx, workspaceId, ids, at)
  await forgetRecent(tx, workspaceId, ids)
  await tx.query(sql`delete from keyword where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`)
  await announceKeywords(tx, workspaceId, ids)
}

/** Fits a notification with the workspace's id: the server's limit is 7,999 bytes. */
const IDS_PER_NOTIFICATION = 200

/** Makes every matcher reload these keywords. A process that misses the notification reads the log. */
export async function announceKeywords(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`
    with logged as (
      insert into keyword_change (workspace_id, keyword_id) select ${workspaceId}::uuid, id
        from unnest(${ids}::uuid[]) as t (id))
    select pg_notify(${KEYWORD_CHANNEL}, concat_ws(' ', ${workspaceId}::text, string_agg(id::text, ' ')))
    from unnest(${ids}::uuid[]) with ordinality as t (id, place) group by (place - 1) / ${IDS_PER_NOTIFICATION}::int`)
  await notifyFollowers(
    tx,
    'keyword.changed',
    ids.map((id) => ({ workspaceId, id })),
  )
}
