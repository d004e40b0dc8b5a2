import { type Attribute, FILTER_FIELDS, FILTER_NAMES, type FilterGroup, type FilterValue, type MentionFilter, type Test } from '../domain/filter/fields.ts'
import { listOf } from '../domain/filter/predicate.ts'
import { type Intent, intentBits, RELEVANCE_THRESHOLD, SENTIMENTS } from '../domain/mention/classification.ts'
import { PLATFORMS } from '../domain/post/platform.ts'
import { HOUR_MS, plus } from '../kernel/clock.ts'
import { firstUuidAt, timeOfUuid, type Uuid } from '../kernel/ids.ts'
import { type Database, type Statement, sql, type Transaction } from './database.ts'

type Condition = Statement<unknown>

/** Mentions of one block: few enough that one which holds a single match costs little, and many enough that blocks are few. */
export const BLOCK_SIZE = 256
/** Blocks that are made in one transaction. */
const BLOCKS_AT_ONCE = 40
/** Mentions become part of a block when they are older: by then nobody is still storing one with a smaller id, and most have their score. */
export const SETTLED_AFTER_MS = HOUR_MS
/** Younger ones are in no block, also when the clocks of two machines differ. */
const CERTAINLY_WITHOUT_BLOCK_MS = SETTLED_AFTER_MS / 2

/** The bit of a keyword in the set of a block: some keywords share one. */
const KEYWORD_BITS = 512
const keywordBit = (id: Condition) =>
  sql`set_bit(repeat('0', ${sql.lit(KEYWORD_BITS)})::bit(512), ('x' || right(${id}::text, 3))::bit(12)::int % ${sql.lit(KEYWORD_BITS)}, 1)`
const NO_KEYWORD = sql`repeat('0', ${sql.lit(KEYWORD_BITS)})::bit(512)`

/** What a block says of its mentions `m`. */
const SUMMARY: Readonly<Record<string, Condition>> = {
  platforms: sql`bit_or(1 << m.platform)`,
  ratings: sql`coalesce(bit_or(1 << m.rating), 0)`,
  sentiments: sql`coalesce(bit_or(1 << m.sentiment), 0)`,
  intents: sql`coalesce(bit_or(m.intents), 0)`,
  languages: sql`coalesce(array_agg(distinct m.language) filter (where m.language is not null), '{}')`,
  keywords: sql`bit_or(${keywordBit(sql`m.keyword_id`)})`,
  automated: sql`coalesce(bool_or(m.automated), false)`,
  replies: sql`bool_or(m.is_reply)`,
  own_posts: sql`bool_or(not m.is_reply)`,
  relevance_min: sql`case when bool_and(m.relevance is not null) then min(m.relevance) end`,
  relevance_max: sql`max(m.relevance)`,
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
}
const COLUMNS = Object.keys(SUMMARY).map((name) => sql.ref(name))
const SUMMED = sql.join(Object.entries(SUMMARY).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))

/**
 * Brings the blocks of all workspaces up to date: makes those that are full and old enough, and sums stale ones up anew.
 * Answers how many it wrote.
 */
export async function maintainBlocks(db: Database, at: Date): Promise<number> {
  let written = 0
  const settled = firstUuidAt(plus(at, -SETTLED_AFTER_MS))
  for (const workspaceId of await workspacesToDo(db, settled)) {
    for (let made = BLOCKS_AT_ONCE; made === BLOCKS_AT_ONCE; written += made) made = await db.transaction((tx) => makeBlocks(tx, workspaceId, settled))
    for (let renewed = BLOCKS_AT_ONCE; renewed === BLOCKS_AT_ONCE; written += renewed) renewed = await db.transaction((tx) => renewBlocks(tx, workspaceId))
  }
  return written
}

/** Workspaces with a full block of mentions to make, or a stale one. */
async function workspacesToDo(db: Database, settled: Uuid): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select w.id from workspace w
    where exists (select from mention_block b where b.workspace_id = w.id and b.stale)
      or exists (select from mention m where m.workspace_id = w.id and m.id > ${lastBlocked(sql`w.id`)} and m.id < ${settled} offset ${BLOCK_SIZE - 1})
    order by w.id`)
  return rows.map((row) => row.id)
}

/** Before the first mention that has no block. */
function lastBlocked(workspaceId: Condition): Condition {
  return sql`coalesce((select b.last_id from mention_block b where b.workspace_id = ${workspaceId} order by b.last_id desc limit 1), ${FIRST}::uuid)`
}

const FIRST = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

async function makeBlocks(tx: Transaction, workspaceId: Uuid, settled: Uuid): Promise<number> {
  if (!(await isAlone(tx, workspaceId))) return 0
  const rows = await tx.query(sql`
    insert into mention_block (workspace_id, after_id, last_id, ${sql.join(COLUMNS)})
    select ${workspaceId}, coalesce(lag(last_id) over (order by block), ${lastBlocked(sql`${workspaceId}::uuid`)}), last_id, ${sql.join(COLUMNS)}
    from (
      select block, (array_agg(m.id order by m.id desc))[1] as last_id, ${SUMMED}
      from (
        select *, (row_number() over (order by id) - 1) / ${BLOCK_SIZE} as block from mention
        where workspace_id = ${workspaceId} and id > ${lastBlocked(sql`${workspaceId}::uuid`)} and id < ${settled} order by id limit ${BLOCK_SIZE * BLOCKS_AT_ONCE}) m
      group by block having count(*) = ${BLOCK_SIZE}) summed
    returning 1`)
  return rows.length
}

/** The newest first, because searches begin there. */
async function renewBlocks(tx: Transaction, workspaceId: Uuid): Promise<number> {
  if (!(await isAlone(tx, workspaceId))) return 0
  const stale = await tx.query<{ last_id: Uuid }>(
    sql`select last_id from mention_block where workspace_id = ${workspaceId} and stale order by last_id desc limit ${BLOCKS_AT_ONCE} for update`,
  )
  if (stale.length === 0) return 0
  const ids = stale.map((row) => row.last_id)
  const renewed = await tx.query<{ last_id: Uuid }>(sql`
    update mention_block b set stale = false, ${sql.join(COLUMNS.map((name) => sql`${name} = t.${name}`))}
    from (
      select b.last_id, ${SUMMED} from mention_block b join mention m on m.workspace_id = b.workspace_id and m.id > b.after_id and m.id <= b.last_id
      where b.workspace_id = ${workspaceId} and b.last_id = any(${ids}::uuid[]) group by b.last_id) t
    where b.workspace_id = ${workspaceId} and b.last_id = t.last_id returning b.last_id`)
  // One whose mentions are all gone says what it said before, which does no harm.
  if (renewed.length < ids.length)
    await tx.query(sql`update mention_block set stale = false where workspace_id = ${workspaceId} and last_id = any(${ids}::uuid[]) and stale`)
  return ids.length
}

/** The lock of a workspace's blocks: whoever changes mentions in them shares it, and whoever sums them up has it alone. */
const lockOf = (workspaceId: Condition) => sql`hashtextextended('mention-blocks ' || ${workspaceId}, 0)`

/**
 * Whether nobody else sums up blocks of the workspace, and nobody has changed mentions of theirs without having committed:
 * what such a change makes of a block would be lost. Who comes later waits, and then finds the blocks as they are by then.
 */
async function isAlone(tx: Transaction, workspaceId: Uuid): Promise<boolean> {
  const [row] = await tx.query<{ alone: boolean }>(sql`select pg_try_advisory_xact_lock(${lockOf(sql`${workspaceId}::text`)}) as alone`)
  return row!.alone
}

/** To be called with mentions whose values have changed, in the transaction that changed them: their blocks no longer say what is in them. */
export async function markBlocksStale(tx: Transaction, mentions: readonly { workspaceId: Uuid; mentionId: Uuid }[], at: Date): Promise<void> {
  const blocked = mentions.filter(({ mentionId }) => timeOfUuid(mentionId).getTime() < at.getTime() - CERTAINLY_WITHOUT_BLOCK_MS)
  if (blocked.length === 0) return
  const workspaceIds = [...new Set(blocked.map((one) => one.workspaceId))].sort()
  await tx.query(
    sql`select pg_advisory_xact_lock_shared(${lockOf(sql`id`)}) from (select id from unnest(${workspaceIds}::text[]) as t (id) order by id offset 0) t`,
  )
  // A statement of its own, so that it sees the blocks that were made while it was waited for.
  await tx.run(
    'mention-blocks-stale',
    `update mention_block b set stale = true from (
       select b.workspace_id, b.last_id from (
         select distinct b.workspace_id, b.last_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
         cross join lateral (select b.workspace_id, b.last_id from mention_block b where b.workspace_id = t.workspace_id and b.last_id >= t.id order by b.last_id limit 1) b) wanted
       join mention_block b using (workspace_id, last_id) order by b.workspace_id, b.last_id for update of b) t
     where b.workspace_id = t.workspace_id and b.last_id = t.last_id and not b.stale`,
    [blocked.map((one) => one.workspaceId), blocked.map((one) => one.mentionId)],
  )
}

/** The stretches of a workspace's mentions in which a search may find something, as a statement of `after_id` and `last_id`, the newest first. */
export function stretches(workspaceId: Uuid, mayHold: Condition, before: Uuid | null): Condition {
  const behind = before === null ? sql`true` : sql`b.after_id < ${before}`
  // The limit, which is never reached, keeps the planner from handing the walk to helpers: they take longer to begin than it takes.
  return sql`
    select after_id, last_id from (
      (select b.after_id, b.last_id from mention_block b where b.workspace_id = ${workspaceId} and ${behind} and (b.stale or ${mayHold})
        order by b.last_id desc limit ${BLOCKS_MAX})
      union all select ${lastBlocked(sql`${workspaceId}::uuid`)}, ${LAST}::uuid) stretch`
}

/** Blocks of more mentions than a workspace will ever have. */
const BLOCKS_MAX = 100_000_000

/** What a block `b` must say for mentions that meet all of this; null when nothing of it can be told from blocks. */
export function blockCondition(workspaceId: Uuid, filters: readonly MentionFilter[], published: { since: Date | null; until: Date | null }): Condition | null {
  const all = filters.flatMap((filter) => filterConditions(workspaceId, filter))
  if (published.since !== null) all.push(sql`b.published_max >= ${published.since}`)
  if (published.until !== null) all.push(sql`b.published_min < ${published.until}`)
  return all.length === 0 ? null : sql`(${sql.join(all, sql` and `)})`
}

function filterConditions(workspaceId: Uuid, { anyOf, ...conditions }: MentionFilter): Condition[] {
  const own = groupConditions(workspaceId, conditions)
  const groups = (anyOf ?? []).map((group) => groupConditions(workspaceId, group))
  // A group of which a block says nothing may hold anywhere.
  if (groups.length > 0 && groups.every((group) => group.length > 0))
    own.push(
      sql`(${sql.join(
        groups.map((group) => sql`(${sql.join(group, sql` and `)})`),
        sql` or `,
      )})`,
    )
  return own
}

function groupConditions(workspaceId: Uuid, group: FilterGroup): Condition[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = group[name]
    return value === undefined ? [] : (condition(workspaceId, FILTER_FIELDS[name].test, value) ?? [])
  })
}

function condition(workspaceId: Uuid, test: Test, value: FilterValue): Condition | null {
  switch (test.test) {
    case 'one_of':
      return oneOf(workspaceId, test.attribute, listOf(value))
    case 'none_of':
      return test.attribute === 'platform' ? sql`(b.platforms & ~${bits(PLATFORMS, listOf(value))}::int) <> 0` : null
    case 'shares':
      return test.attribute === 'intents' ? sql`(b.intents & ${intentBits(listOf(value) as Intent[])}::int) <> 0` : null
    case 'at_least':
      return sql`${sql.ref(`b.${test.attribute}_max`)} >= ${Number(value)}::float8`
    case 'at_most':
      return test.attribute === 'followers' ? sql`b.followers_min <= ${Number(value)}::float8` : null
    case 'is':
      return test.attribute === 'isReply' ? (value === true ? sql`b.replies` : sql`b.own_posts`) : value === true ? sql`b.automated` : null
    case 'relevant':
      return value === true ? sql`b.relevance_max >= ${RELEVANCE_THRESHOLD}` : sql`(b.relevance_min is null or b.relevance_min < ${RELEVANCE_THRESHOLD})`
    case 'shares_none':
    case 'says':
      return null
  }
}

function oneOf(workspaceId: Uuid, attribute: Attribute, values: readonly (string | number | boolean)[]): Condition | null {
  switch (attribute) {
    case 'keywordId':
      return keywordsAmong(sql`select unnest(${values}::uuid[]) as id`)
    case 'groupId':
      return keywordsAmong(sql`select id from keyword where workspace_id = ${workspaceId} and group_id = any(${values}::uuid[])`)
    case 'keywordKind':
      return keywordsAmong(sql`select id from keyword where workspace_id = ${workspaceId} and kind = any(${values}::text[])`)
    case 'platform':
      return sql`(b.platforms & ${bits(PLATFORMS, values)}::int) <> 0`
    case 'sentiment':
      return sql`(b.sentiments & ${bits(SENTIMENTS, values)}::int) <> 0`
    case 'rating':
      return sql`(b.ratings & ${values.reduce<number>((sum, rating) => sum | (1 << Number(rating)), 0)}::int) <> 0`
    case 'language':
      return sql`b.languages && ${values}::text[]`
    default:
      return null
  }
}

function keywordsAmong(ids: Condition): Condition {
  return sql`(b.keywords & (select coalesce(bit_or(${keywordBit(sql`wanted.id`)}), ${NO_KEYWORD}) from (${ids}) wanted)) <> ${NO_KEYWORD}`
}

/** A bit for each of the values, by its place in a list. */
function bits(list: readonly string[], values: readonly (string | number | boolean)[]): number {
  return values.reduce<number>((sum, value) => sum | (1 << list.indexOf(String(value))), 0)
}
