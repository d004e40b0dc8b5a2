import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { type Database, type Statement, sql, type Transaction } from '../database.ts'
import { keywordBits, keywordsAmong, NO_RELEVANCE } from './block-conditions.ts'
import { writeFigures } from './block-figures.ts'
import { BLOCK_SIZE, memberColumns, NO_MENTION, SETS } from './block-sets.ts'
import type { ExactSet } from './exact-sets.ts'

type Condition = Statement<unknown>

const BLOCKS_AT_ONCE = 40
/** By then nobody still stores a mention with a smaller id, and most are scored. */
export const SETTLED_AFTER_MS = HOUR_MS
/** Younger mentions are in no block, whatever machines' clocks say. */
const CERTAINLY_WITHOUT_BLOCK_MS = SETTLED_AFTER_MS / 2

/** Of a column; a block of more mentions than its size cannot be counted anyway. */
const MEMBERS_MAX = 2 * BLOCK_SIZE

const SUMMARY: Readonly<Record<string, Condition>> = {
  platforms: sql`bit_or(1 << m.platform)`,
  ratings: sql`coalesce(bit_or(1 << m.rating), 0)`,
  sentiments: sql`coalesce(bit_or(1 << m.sentiment), 0)`,
  intents: sql`coalesce(bit_or(m.intents), 0)`,
  languages: sql`coalesce(array_agg(distinct m.language) filter (where m.language is not null), '{}')`,
  keywords: keywordBits(sql`m.keyword_id`),
  automated: sql`coalesce(bool_or(m.automated), false)`,
  replies: sql`bool_or(m.is_reply)`,
  own_posts: sql`bool_or(not m.is_reply)`,
  relevance_min: sql`case when bool_and(m.relevance is not null) then min(m.relevance) end`,
  relevance_max: sql`max(m.relevance)`,
  relevances: sql`coalesce(bit_or(set_bit(${NO_RELEVANCE}, m.relevance, 1)) filter (where m.relevance is not null),
      ${NO_RELEVANCE})`,
  delivered: sql`bool_or(m.delivered)`,
  failed: sql`bool_or(m.failed)`,
  confidence_max: sql`max(m.confidence)`,
  followers_min: sql`min(m.followers)`,
  followers_max: sql`max(m.followers)`,
  likes_max: sql`max(m.likes)`,
  reposts_max: sql`max(m.reposts)`,
  replies_max: sql`max(m.replies)`,
  quotes_max: sql`max(m.quotes)`,
  views_max: sql`max(m.views)`,
  bookmarks_max: sql`max(m.bookmarks)`,
  published_min: sql`min(m.published_at)`,
  published_max: sql`max(m.published_at)`,
  members: sql`least(count(*), ${sql.lit(MEMBERS_MAX)})::smallint`,
  ...SETS,
}
const COLUMNS = Object.keys(SUMMARY).map((name) => sql.ref(name))
const SUMMED = sql.join(Object.entries(SUMMARY).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))

/** Creates due blocks and recomputes stale ones and those without figures; returns how many. */
export async function maintainBlocks(db: Database, at: Date): Promise<number> {
  let written = 0
  const settled = firstUuidAt(plus(at, -SETTLED_AFTER_MS))
  for (const workspaceId of await workspacesToDo(db, settled)) {
    for (let made = BLOCKS_AT_ONCE; made === BLOCKS_AT_ONCE; written += made)
      made = await db.transaction((tx) => makeBlocks(tx, workspaceId, settled))
    for (let renewed = BLOCKS_AT_ONCE; renewed === BLOCKS_AT_ONCE; written += renewed)
      renewed = await db.transaction((tx) => renewBlocks(tx, workspaceId))
  }
  return written
}

async function workspacesToDo(db: Database, settled: Uuid): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select w.id from workspace w
    where exists (select from mention_block b where b.workspace_id = w.id and not b.figured)
      or exists (select from mention m where m.workspace_id = w.id and m.id > ${lastBlocked(sql`w.id`)}
        and m.id < ${settled} offset ${BLOCK_SIZE - 1})
    order by w.id`)
  return rows.map((row) => row.id)
}

function lastBlocked(workspaceId: Condition): Condition {
  return sql`coalesce((select b.last_id from mention_block b where b.workspace_id = ${workspaceId}
      order by b.last_id desc limit 1), ${FIRST}::uuid)`
}

const FIRST = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

async function makeBlocks(tx: Transaction, workspaceId: Uuid, settled: Uuid): Promise<number> {
  if (!(await isAlone(tx, workspaceId))) return 0
  const rows = await tx.query<{ last_id: Uuid }>(sql`
    insert into mention_block (workspace_id, after_id, last_id, figured, ${sql.join(COLUMNS)})
    select ${workspaceId}, coalesce(lag(last_id) over (order by block), ${lastBlocked(sql`${workspaceId}::uuid`)}),
      last_id, true, ${sql.join(COLUMNS)}
    from (
      select block, (array_agg(m.id order by m.id desc))[1] as last_id, ${SUMMED}
      from (
        select m.*, place / ${BLOCK_SIZE} as block, ${memberColumns(sql`place % ${BLOCK_SIZE}`)} from (
          select *, row_number() over (order by id) - 1 as place from mention
          where workspace_id = ${workspaceId} and id > ${lastBlocked(sql`${workspaceId}::uuid`)} and id < ${settled}
            order by id limit ${BLOCK_SIZE * BLOCKS_AT_ONCE}) m
        offset 0) m
      group by block having count(*) = ${BLOCK_SIZE}) summed
    returning last_id`)
  if (rows.length > 0)
    await writeFigures(
      tx,
      workspaceId,
      rows.map((row) => row.last_id),
    )
  return rows.length
}

/** Newest first, because searches begin there. */
async function renewBlocks(tx: Transaction, workspaceId: Uuid): Promise<number> {
  if (!(await isAlone(tx, workspaceId))) return 0
  const due = await tx.query<{ last_id: Uuid }>(
    sql`select last_id from mention_block where workspace_id = ${workspaceId} and not figured order by last_id desc
        limit ${BLOCKS_AT_ONCE} for update`,
  )
  if (due.length === 0) return 0
  const ids = due.map((row) => row.last_id)
  const renewed = await tx.query<{ last_id: Uuid }>(sql`
    update mention_block b set stale = false, figured = true,
      ${sql.join(COLUMNS.map((name) => sql`${name} = t.${name}`))}
    from (
      select m.last_id, ${SUMMED} from (
        select m.*, b.last_id, ${memberColumns(sql`row_number() over (partition by b.last_id order by m.id) - 1`)}
        from mention_block b join mention m on m.workspace_id = b.workspace_id and m.id > b.after_id
          and m.id <= b.last_id
        where b.workspace_id = ${workspaceId} and b.last_id = any(${ids}::uuid[]) offset 0) m
      group by m.last_id) t
    where b.workspace_id = ${workspaceId} and b.last_id = t.last_id returning b.last_id`)
  // An empty block keeps the rest of its summary, which finds nothing.
  if (renewed.length < ids.length)
    await tx.query(
      sql`update mention_block set stale = false, figured = true, members = 0 where workspace_id = ${workspaceId}
          and last_id = any(${ids}::uuid[]) and not figured`,
    )
  await writeFigures(tx, workspaceId, ids)
  return ids.length
}

/** Shared by changes of mentions, exclusive for computing summaries. */
const lockOf = (workspaceId: Condition) => sql`hashtextextended('mention-blocks ' || ${workspaceId}, 0)`

/**
 * Fails while others compute summaries or have uncommitted changes of mentions, which a summary would miss. A later
 * change waits for this transaction and then marks the block stale.
 */
async function isAlone(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const [row] = await tx.query<{ alone: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockOf(sql`${workspaceId}::text`)}) as alone`,
  )
  return row!.alone
}

/** Call in the transaction that changed the mentions. */
export async function markBlocksStale(
  tx: Transaction,
  mentions: readonly { workspaceId: Uuid; mentionId: Uuid }[],
  at: Date,
): Promise<void> {
  const blocked = mentions.filter(
    ({ mentionId }) => timeOfUuid(mentionId).getTime() < at.getTime() - CERTAINLY_WITHOUT_BLOCK_MS,
  )
  if (blocked.length === 0) return
  const workspaceIds = [...new Set(blocked.map((item) => item.workspaceId))].sort()
  await tx.query(
    sql`select pg_advisory_xact_lock_shared(${lockOf(sql`id`)}) from (select id
        from unnest(${workspaceIds}::text[]) as t (id) order by id offset 0) t`,
  )
  // A separate statement sees blocks made while the lock was awaited.
  await tx.run(
    'mention-blocks-stale',
    `update mention_block b set stale = true from (
       select b.workspace_id, b.last_id from (
         select distinct b.workspace_id, b.last_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
         cross join lateral (select b.workspace_id, b.last_id from mention_block b where b.workspace_id = t.workspace_id
           and b.last_id >= t.id order by b.last_id limit 1) b) wanted
       join mention_block b using (workspace_id, last_id) order by b.workspace_id, b.last_id for update of b) t
     where b.workspace_id = t.workspace_id and b.last_id = t.last_id and not b.stale`,
    [blocked.map((item) => item.workspaceId), blocked.map((item) => item.mentionId)],
  )
}

/** Call in the transaction that deleted every mention up to `id`: blocks without mentions go. */
export async function dropBlocksThrough(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lockOf(sql`${workspaceId}::text`)})`)
  await tx.query(sql`delete from mention_block where workspace_id = ${workspaceId} and last_id <= ${id}`)
  await tx.query(sql`
    update mention_block set stale = true where workspace_id = ${workspaceId} and after_id < ${id} and not stale
      and last_id = ${blockOf(sql`${workspaceId}::uuid`, sql`${id}::uuid`)}`)
}

/** `markBlocksStale` for every mention of keywords that go. */
export async function markBlocksOfKeywordsStale(
  tx: Transaction,
  workspaceId: Uuid,
  keywordIds: readonly Uuid[],
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lockOf(sql`${workspaceId}::text`)})`)
  await tx.query(sql`
    update mention_block b set stale = true from (
      select b.last_id from mention_block b where b.workspace_id = ${workspaceId} and not b.stale
        and ${keywordsAmong(sql`select unnest(${keywordIds}::uuid[]) as id`)} order by b.last_id for update) t
    where b.workspace_id = ${workspaceId} and b.last_id = t.last_id`)
}

/** `blocks` holds the range of each block that `mayHold`, and the number of mentions in the set where it is told. */
export function countedBlocks(
  workspaceId: Uuid,
  { set, told }: ExactSet,
  mayHold: Condition,
): { blocks: Condition; rest: Condition } {
  const known = sql.join([sql`not b.stale`, sql`b.members <= ${BLOCK_SIZE}`, ...told], sql` and `)
  return {
    blocks: sql`select b.after_id, b.last_id,
      case when ${known} then bit_count(${set} & (~${NO_MENTION} << (${BLOCK_SIZE} - b.members))) end as members
      from mention_block b where b.workspace_id = ${workspaceId} and (b.stale or ${mayHold})`,
    rest: restOf(workspaceId),
  }
}

/** Periods that follow each other until `end`. */
export interface Periods {
  starts: readonly Date[]
  end: Date
}

/**
 * The range of each block that `mayHold`, `known` where its figures hold and all of `told` does, with the set of those
 * that are `asked` for (null asks for all), and the place of the period in which all of its mentions were published;
 * and the range behind the last block.
 */
export function figuredBlocks(
  workspaceId: Uuid,
  { asked, mayHold, periods: { starts, end } }: { asked: ExactSet | null; mayHold: Condition; periods: Periods },
): { blocks: Condition; rest: Condition } {
  const slotOf = (at: Condition) => sql`width_bucket(${at}, ${starts}::timestamptz[])`
  const first = slotOf(sql`b.published_min`)
  const known = sql.join([sql`b.figured`, sql`b.members <= ${BLOCK_SIZE}`, ...(asked?.told ?? [])], sql` and `)
  return {
    blocks: sql`select b.after_id, b.last_id, ${known} as known, ${asked?.set ?? sql`null::bit(256)`} as asked,
        case when b.published_min >= ${starts[0]!} and b.published_max < ${end}
          and ${first} = ${slotOf(sql`b.published_max`)} then ${first} - 1 end as slot
      from mention_block b where b.workspace_id = ${workspaceId} and (b.stale or ${mayHold})`,
    rest: restOf(workspaceId),
  }
}

/** How many blocks have no figures that hold. */
export function unfigured(workspaceId: Uuid): Statement<{ blocks: number }> {
  return sql`select count(*) as blocks from mention_block where workspace_id = ${workspaceId} and not figured`
}

/** The range behind the last block. */
function restOf(workspaceId: Uuid): Condition {
  return sql`select ${lastBlocked(sql`${workspaceId}::uuid`)} as after_id, ${LAST}::uuid as last_id`
}

/** The end of the block of a mention; null for a mention in none. */
export function blockOf(workspaceId: Condition, id: Condition): Condition {
  return sql`(select o.last_id from mention_block o where o.workspace_id = ${workspaceId} and o.last_id >= ${id}
    order by o.last_id limit 1)`
}

export type Direction = 'newest' | 'oldest'

/** The block ranges in which a search may match, in order, from an id on. */
export function blockRanges(
  workspaceId: Uuid,
  mayHold: Condition,
  { from, direction }: { from: Uuid | null; direction: Direction },
): Condition {
  const newest = direction === 'newest'
  const beyond = newest ? sql`b.after_id < ${from}` : sql`b.last_id >= ${from}`
  const further = from === null ? sql`true` : beyond
  // The limit is never reached; it prevents a parallel scan, whose start takes longer than the scan.
  return sql`
    select after_id, last_id from (
      (select b.after_id, b.last_id from mention_block b where b.workspace_id = ${workspaceId} and ${further}
        and (b.stale or ${mayHold})
        order by b.last_id ${newest ? sql`desc` : sql`asc`} limit ${BLOCKS_MAX})
      union all select ${lastBlocked(sql`${workspaceId}::uuid`)}, ${LAST}::uuid) block_range`
}

const BLOCKS_MAX = 100_000_000
