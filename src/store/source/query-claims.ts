import { type Platform, platformNumber, REVIEW_PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader, Transaction } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'

const REVIEWED = REVIEW_PLATFORMS.map(platformNumber).join(', ')

export const RUNNING = 'not k.muted and not k.paused_for_cap'

export interface ClaimRef {
  workspaceId: Uuid
  keywordId: Uuid
  key: string
}

export interface QueryClaim extends ClaimRef {
  since: Date
  lookBack: boolean
  /** On this platform, and on all search platforms. */
  lookedBack: number
  lookedBackInAll: number
}

export async function readClaims(
  tx: Reader,
  platform: Platform,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<QueryClaim[]> {
  const rows = await tx.run<ClaimRow>(
    'query-claims',
    `${CLAIMS} from unnest($2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id)
     join keyword_query w on w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id and w.platform = $1`,
    [
      platformNumber(platform),
      keywords.map((keyword) => keyword.workspaceId),
      keywords.map((keyword) => keyword.keywordId),
    ],
  )
  return rows.map(claimFromRow)
}

/** Of running keywords. */
export async function readPageClaims(tx: Reader, platform: Platform, key: string): Promise<QueryClaim[]> {
  const rows = await tx.run<ClaimRow>(
    'page-claims',
    `${CLAIMS} from keyword_query w join keyword k on k.workspace_id = w.workspace_id and k.id = w.keyword_id
        where w.platform = $1 and w.key = $2 and ${RUNNING}`,
    [platformNumber(platform), key],
  )
  return rows.map(claimFromRow)
}

interface ClaimRow {
  workspace_id: Uuid
  keyword_id: Uuid
  key: string
  since: Date
  look_back: boolean
  looked_back: number
  in_all: number
}

export async function readOpenLookBacks(
  reader: Reader,
  platform: Platform,
  keys: readonly string[],
): Promise<ClaimRef[]> {
  const rows = await reader.run<{ workspace_id: Uuid; keyword_id: Uuid; key: string }>(
    'open-look-backs',
    `select w.workspace_id, w.keyword_id, w.key from keyword_query w join keyword k on k.workspace_id = w.workspace_id
        and k.id = w.keyword_id
     where w.platform = $1 and w.key = any($2::text[]) and w.look_back and ${RUNNING}`,
    [platformNumber(platform), keys],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, keywordId: row.keyword_id, key: row.key }))
}

/** Without reviews, whose look-backs are unlimited. */
const CLAIMS = `select w.workspace_id, w.keyword_id, w.key, w.since, w.look_back, w.looked_back,
  (select coalesce(sum(o.looked_back), 0)::int from keyword_query o where o.workspace_id = w.workspace_id
    and o.keyword_id = w.keyword_id and o.platform not in (${REVIEWED})) as in_all`

function claimFromRow(row: ClaimRow): QueryClaim {
  return {
    workspaceId: row.workspace_id,
    keywordId: row.keyword_id,
    key: row.key,
    since: row.since,
    lookBack: row.look_back,
    lookedBack: row.looked_back,
    lookedBackInAll: row.in_all,
  }
}

const COUNTS = new GivenRows<ClaimRef & { made: number }>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  key: given.text(({ key }) => key),
  made: given.integer(({ made }) => made),
})
const COUNTED = new GivenValues(['platform'], COUNTS.after)

/** The caller holds the counters. */
export async function countLookBacks(
  tx: Transaction,
  platform: Platform,
  counts: readonly (ClaimRef & { made: number })[],
): Promise<void> {
  await tx.run(
    'count-looked-back',
    `update keyword_query w set looked_back = w.looked_back + t.made
     from ${COUNTS.unnested}
     where w.workspace_id = t.workspace_id and w.keyword_id = t.keyword_id
       and w.platform = ${COUNTED.the.platform} and w.key = t.key`,
    [...COUNTS.values(counts), ...COUNTED.values({ platform: platformNumber(platform) })],
  )
}

export async function readKnownPairs(
  reader: Reader,
  pairs: readonly { workspaceId: Uuid; keywordId: Uuid; postId: Uuid }[],
): Promise<Set<string>> {
  const rows = await reader.run<{ keyword_id: Uuid; post_id: Uuid }>(
    'known-pairs',
    `select t.keyword_id, t.post_id from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id,
        post_id)
     cross join lateral (select from mention m where m.workspace_id = t.workspace_id and m.keyword_id = t.keyword_id
       and m.post_id = t.post_id offset 0) m`,
    [pairs.map((pair) => pair.workspaceId), pairs.map((pair) => pair.keywordId), pairs.map((pair) => pair.postId)],
  )
  return new Set(rows.map((row) => `${row.keyword_id} ${row.post_id}`))
}
