import { RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql, type Transaction } from '../database.ts'

type Condition = Statement<unknown>

/** All known engagement of mention `m`. */
export const ENGAGEMENT = sql`(coalesce(m.likes, 0)::bigint + coalesce(m.reposts, 0) + coalesce(m.replies,
    0) + coalesce(m.quotes, 0) + coalesce(m.views, 0) + coalesce(m.bookmarks, 0))`

const OPEN = MENTION_STATUSES.indexOf('open')
const INT_MAX = 2_147_483_647
const SMALL_MAX = 32_767
const RELEVANT = 1
const SCORED = 2
const REPLY = 4
/** Two bits hold the place of the sentiment plus one, 0 without a sentiment. */
const SENTIMENT = 8
const CLOSED = 32

/** Readings of a byte of `marks`, which is below `end`. */
export const MARKS = {
  end: 64,
  isRelevant: (marks: number): boolean => (marks & RELEVANT) !== 0,
  isScored: (marks: number): boolean => (marks & SCORED) !== 0,
  isReply: (marks: number): boolean => (marks & REPLY) !== 0,
  /** -1 without one. */
  sentimentPlace: (marks: number): number => ((marks / SENTIMENT) & 3) - 1,
  /** Whether the status is another than open. */
  isClosed: (marks: number): boolean => (marks & CLOSED) !== 0,
} as const

const inOrder = (bytes: Condition) => sql`string_agg(${bytes}, '' order by m.id)`
const int = (value: Condition) => inOrder(sql`int4send(${value})`)
/** Two bytes for each where they are enough for all, or four, or eight. */
const sized = (count: Condition) => {
  const within = (most: number) => sql`min(${count}) >= 0 and max(${count}) <= ${sql.lit(most)}`
  const upTo = (most: number) => sql`greatest(least(${count}, ${sql.lit(most)}), 0)`
  return sql`case when ${within(SMALL_MAX)} then ${inOrder(sql`int2send(${upTo(SMALL_MAX)}::smallint)`)}
    when ${within(INT_MAX)} then ${int(sql`${upTo(INT_MAX)}::integer`)}
    else ${inOrder(sql`float8send(${count})`)} end`
}
const byte = (value: Condition) => inOrder(sql`substr(int2send((${value})::smallint), 2)`)
const lastBytes = (id: Condition, from: number) => sql`substr(uuid_send(${id}), ${sql.lit(from)})`
const flag = (is: Condition, value: number) => sql`case when ${is} then ${sql.lit(value)} else 0 end`

/** Minutes that do not fit are in no window that `isMinute` allows. */
const MINUTE = sql`least(greatest(floor(extract(epoch from m.published_at) / 60), ${sql.lit(-INT_MAX)}),
  ${sql.lit(INT_MAX)})::integer`

/** For a set of mentions `m`, in the order of their ids: big-endian numbers of the same width for each mention. */
export const FIGURES = {
  published: int(MINUTE),
  marks: byte(sql`${flag(sql`m.relevance >= ${sql.lit(RELEVANCE_THRESHOLD)}`, RELEVANT)}
    + ${flag(sql`m.relevance is not null`, SCORED)} + ${flag(sql`m.is_reply`, REPLY)}
    + ${sql.lit(SENTIMENT)} * (coalesce(m.sentiment, -1) + 1)
    + ${flag(sql`m.status <> ${sql.lit(OPEN)}`, CLOSED)}`),
  platforms: byte(sql`m.platform`),
  intents: int(sql`coalesce(m.intents, 0)`),
  languages: sql`case when coalesce(max(octet_length(m.language)), 0) <= 4
    then ${inOrder(sql`convert_to(rpad(coalesce(m.language, ''), 4), 'UTF8')`)} end`,
  keywords: inOrder(lastBytes(sql`m.keyword_id`, 13)),
  accounts: inOrder(sql`coalesce(${lastBytes(sql`m.account_id`, 9)}, int8send(0))`),
  followers: sized(sql`greatest(coalesce(m.followers, 0), 0)`),
  engagement: sized(ENGAGEMENT),
  snoozes: sql`case when bool_or(m.snoozed_until is not null)
    then ${inOrder(sql`float8send(coalesce(extract(epoch from m.snoozed_until) * 1000, 0)::float8)`)} end`,
} as const satisfies Record<string, Condition>
export type FigureName = keyof typeof FIGURES

/** Whether the minutes of figures tell on which side of an instant a mention was published. */
export function isMinute(at: Date): boolean {
  return at.getTime() % MINUTE_MS === 0 && Math.abs(at.getTime() / MINUTE_MS) < INT_MAX
}

const MINUTE_MS = 60_000

/** The counts of `sized` by position. */
export function readSized(bytes: DataView, size: number): (at: number) => number {
  switch (bytes.byteLength / size) {
    case 2:
      return (at) => bytes.getInt16(2 * at)
    case 4:
      return (at) => bytes.getInt32(4 * at)
    default:
      return (at) => bytes.getFloat64(8 * at)
  }
}

const NAMES = Object.keys(FIGURES).map((name) => sql.ref(name))

/** Writes the figures of blocks anew. Call in the transaction that sums them up. */
export async function writeFigures(tx: Transaction, workspaceId: Uuid, lastIds: readonly Uuid[]): Promise<void> {
  await tx.query(sql`
    delete from mention_block_figures where workspace_id = ${workspaceId} and last_id = any(${lastIds}::uuid[])`)
  await tx.query(sql`
    insert into mention_block_figures (workspace_id, last_id, ${sql.join(NAMES)})
    select ${workspaceId}, m.last_id, ${sql.join(Object.values(FIGURES))}
    from (
      select b.last_id, m.* from mention_block b
      join mention m on m.workspace_id = b.workspace_id and m.id > b.after_id and m.id <= b.last_id
      where b.workspace_id = ${workspaceId} and b.last_id = any(${lastIds}::uuid[])) m
    group by m.last_id`)
}
