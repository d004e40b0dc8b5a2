import { highestPriorityAt } from '../../domain/mention/priority.ts'
import { type MentionSort, RANKED_DAYS } from '../../domain/mention/sorts.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { ENGAGEMENT } from '../../store/filter/block-figures.ts'
import { priorityExpression } from '../../store/filter/priority-sql.ts'
import { type CursorPosition, pageOf, readPlace } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'
import { readShown } from './mention-rows.ts'
import { type Mention, mentionFromRow } from './mention-shape.ts'
import { isPosition, oldestPage } from './oldest-page.ts'
import { readMentions } from './read-mentions.ts'
import { readByRelevance } from './relevance-page.ts'
import { goingThrough, type MentionSearch, type ResolvedSearch, resolveSearch } from './search.ts'
import { isOften, readNewest, selectFound, selectNewest } from './select-newest.ts'
import { settledBefore } from './settled.ts'

export interface MentionPage {
  data: Mention[]
  nextCursor: string | null
  /** `oldest` only: continues with mentions not shown yet, now or later. */
  resumeCursor?: string
}

interface Page {
  limit: number
  after: CursorPosition | null
}

/**
 * One page of mentions. `newest` and `oldest` go by match time, `oldest` up to where no mention can still appear;
 * `published` by the post's time. `relevance`, `priority` and `engagement` are highest first, the last two over
 * RANKED_DAYS. Ties: greatest id first.
 */
export async function listMentions(
  reading: QueryContext,
  search: MentionSearch,
  { sort, limit, cursor }: { sort: MentionSort; limit: number; cursor: string | null },
): Promise<MentionPage | Refusal<'invalid_cursor' | 'not_found' | 'validation_error'>> {
  const after = cursor === null ? null : await placeOf(reading, sort, cursor)
  if (isRefusal(after)) return after
  // Read before prefixes: a mention that adds a new word then comes after this page, on the next one.
  const before = sort === 'oldest' ? await settledBefore(reading) : null
  const resolved = await resolveSearch(reading, search)
  if (isRefusal(resolved)) return resolved
  if (sort === 'oldest') return await oldestPage(reading, resolved, { limit, after, before: before! })
  return await PAGES[sort](reading, resolved, { limit, after })
}

const PAGES = {
  newest: newestPage,
  relevance: relevancePage,
  published: publishedPage,
  priority: priorityPage,
  engagement: engagementPage,
} as const

async function newestPage(reading: QueryContext, search: ResolvedSearch, { limit, after }: Page): Promise<MentionPage> {
  const at = reading.clock.now()
  const behind = after && { id: after.last, included: false }
  const found = await readNewest(reading, { search, at, behind, limit: limit + 1 })
  const { shown, nextCursor } = pageOf(found, limit, 'newest')
  return { data: (await readShown(reading.db, shown)).map((row) => mentionFromRow(row, at)), nextCursor }
}

async function relevancePage(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after }: Page,
): Promise<MentionPage> {
  const rows = await readByRelevance(reading, search, { limit: limit + 1, after })
  const { shown, nextCursor } = pageOf(rows, limit, 'relevance', ({ rank }) => [rank])
  return { data: await shownMentions(reading, shown, reading.clock.now()), nextCursor }
}

async function publishedPage(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after }: Page,
): Promise<MentionPage> {
  const { shown, nextCursor } = pageOf(await publishedRows(reading, search, { limit, after }), limit, 'published')
  return { data: await shownMentions(reading, shown, reading.clock.now()), nextCursor }
}

async function publishedRows(
  { db, clock, workspaceId }: QueryContext,
  search: ResolvedSearch,
  { limit, after }: Page,
): Promise<{ id: Uuid }[]> {
  // Compared in SQL, because a JavaScript date loses microseconds.
  const behind =
    after === null
      ? sql`true`
      : sql`(m.published_at, m.id) < ((select published_at from mention where workspace_id = ${workspaceId}
          and id = ${after.last}), ${after.last}::uuid)`
  return await db.query<{ id: Uuid }>(
    sql`${selectFound(sql`m.id`, workspaceId, goingThrough(search, isOften), clock.now())} and ${behind}
        order by m.published_at desc, m.id desc limit ${limit + 1}`,
  )
}

/** At most `limit` + 1 ids; for `oldest`, all that are settled. */
export async function readOrder(
  reading: QueryContext,
  search: ResolvedSearch,
  { sort, limit }: { sort: MentionSort; limit: number },
): Promise<Uuid[]> {
  const rows = await orderedRows(reading, search, sort, { limit, after: null })
  return rows.map(({ id }) => id)
}

async function orderedRows(
  reading: QueryContext,
  search: ResolvedSearch,
  sort: MentionSort,
  page: Page,
): Promise<{ id: Uuid }[]> {
  const at = reading.clock.now()
  switch (sort) {
    case 'newest':
    case 'oldest':
      return await reading.db.query(
        selectNewest(sql<{ id: Uuid }>`m.id`, {
          workspaceId: reading.workspaceId,
          search,
          at,
          behind: null,
          direction: sort,
          limit: page.limit + 1,
        }),
      )
    case 'relevance':
      return await readByRelevance(reading, search, { limit: page.limit + 1, after: null })
    case 'published':
      return await publishedRows(reading, search, page)
    case 'priority':
      return await priorityRows(reading, search, at, page)
    case 'engagement':
      return await rankedRows(reading, search, { rank: ENGAGEMENT, at, days: RANKED_DAYS, ...page })
  }
}

interface Ranked {
  id: Uuid
  rank: number
}

/** Days to look back, until no older mention can belong on the page. */
const LOOKS_BACK = [1, 3, 7, RANKED_DAYS]

async function priorityPage(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after }: Page,
): Promise<MentionPage> {
  const at = beganAt(reading, after)
  return await rankedPage(reading, 'priority', await priorityRows(reading, search, at, { limit, after }), { limit, at })
}

async function priorityRows(
  reading: QueryContext,
  search: ResolvedSearch,
  at: Date,
  { limit, after }: Page,
): Promise<Ranked[]> {
  const rank = priorityExpression(at)
  for (const days of LOOKS_BACK) {
    const highestOlder = highestPriorityAt(days * DAY_MS)
    const last = days === RANKED_DAYS
    // Ranks behind a cursor are below its mark: unless the mark exceeds every older rank, older mentions must be read
    // too.
    if (!last && after !== null && after.marks[1]! <= highestOlder) continue
    const rows = await rankedRows(reading, search, { rank, at, days, limit, after })
    if (last || (rows.length > limit && rows.at(-1)!.rank > highestOlder)) return rows
  }
  throw new Error('the last look back is always certain')
}

async function engagementPage(
  reading: QueryContext,
  search: ResolvedSearch,
  { limit, after }: Page,
): Promise<MentionPage> {
  const at = beganAt(reading, after)
  const rows = await rankedRows(reading, search, { rank: ENGAGEMENT, at, days: RANKED_DAYS, limit, after })
  return await rankedPage(reading, 'engagement', rows, { limit, at })
}

/** The first page fixes the instant for later pages, so ranks do not move between them. */
function beganAt({ clock }: QueryContext, after: CursorPosition | null): Date {
  return after === null ? clock.now() : new Date(after.marks[0]!)
}

async function rankedRows(
  { db, workspaceId, clock }: QueryContext,
  search: ResolvedSearch,
  { rank, at, days, limit, after }: Page & { rank: Statement<unknown>; at: Date; days: number },
): Promise<Ranked[]> {
  const behind = after === null ? sql`true` : sql`(${rank}, m.id) < (${after.marks[1]!}::bigint, ${after.last}::uuid)`
  return await db.query<Ranked>(sql`
    ${selectFound(
      sql`m.id, ${rank} as
        rank`,
      workspaceId,
      search,
      clock.now(),
    )}
      and m.published_at > ${plus(at, -days * DAY_MS)} and ${behind}
    order by ${rank} desc, m.id desc limit ${limit + 1}`)
}

async function rankedPage(
  reading: QueryContext,
  sort: MentionSort,
  rows: readonly Ranked[],
  { limit, at }: { limit: number; at: Date },
): Promise<MentionPage> {
  const { shown, nextCursor } = pageOf(rows, limit, sort, ({ rank }) => [at.getTime(), rank])
  return { data: await shownMentions(reading, shown, at), nextCursor }
}

/** Deleted mentions are left out. */
async function shownMentions(
  { db, workspaceId }: QueryContext,
  rows: readonly { id: Uuid }[],
  at: Date,
): Promise<Mention[]> {
  const mentions = await readMentions(
    db,
    rows.map(({ id }) => ({ workspaceId, mentionId: id })),
    at,
  )
  return rows.flatMap(({ id }) => mentions.get(id) ?? [])
}

/**
 * Numbers in a cursor: the fixed instant and the last rank; the last relevance; whether the mention is still to come.
 */
const MARKS: Readonly<Record<MentionSort, number>> = {
  newest: 0,
  oldest: 1,
  relevance: 1,
  published: 0,
  priority: 2,
  engagement: 2,
}
/** How long a cursor with a fixed instant is valid. */
const CURSOR_DAYS = 7

function isRecent(ms: number, now: Date): boolean {
  return ms >= plus(now, -CURSOR_DAYS * DAY_MS).getTime() && ms <= plus(now, MINUTE_MS).getTime()
}

async function placeOf(
  { db, clock, workspaceId }: QueryContext,
  sort: MentionSort,
  cursor: string,
): Promise<CursorPosition | Refusal<'invalid_cursor' | 'not_found'>> {
  const place = readPlace(sort, cursor, MARKS[sort])
  if (place === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  if (sort === 'oldest' && isPosition(place)) return place
  const began = MARKS[sort] === 2 ? place.marks[0] : undefined
  // A forged instant would make the database read more than the last days.
  if (began !== undefined && !isRecent(began, clock.now()))
    return refuse('invalid_cursor', `The cursor is older than ${CURSOR_DAYS} days; start again without a cursor`)
  const rows = await db.query(sql`select id from mention where workspace_id = ${workspaceId} and id = ${place.last}`)
  return rows.length > 0
    ? place
    : refuse('not_found', 'The mention at this cursor is gone; start again without a cursor')
}
