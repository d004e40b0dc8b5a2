import type { MentionFilter } from '../../domain/filter/fields.ts'
import { filterOfRule } from '../../domain/filter/rule-filter.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, dayStart, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { filterCondition, notByAccounts } from '../../store/filter/filter-sql.ts'
import type { Mention } from '../mentions/mention-shape.ts'
import { readMentions } from '../mentions/read-mentions.ts'
import { EVERY_MENTION, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'

export const SAMPLE_MAX = 5

/** What an instant rule with a filter would have sent. */
export interface SendableCount {
  /** UTC days, including today. */
  days: number
  matched: number
  /** Every day by match time, oldest first. */
  perDay: { day: string; count: number }[]
  /** The newest matches. */
  sample: Mention[]
}

/** Counts open mentions of unmuted people that the rule would have sent. */
export async function countSendable(
  reading: QueryContext,
  filter: MentionFilter,
  days: number,
): Promise<SendableCount | Refusal<'not_found' | 'validation_error'>> {
  const { db, clock } = reading
  const at = clock.now()
  const sendable = await sendableCondition(reading, filter)
  if (isRefusal(sendable)) return sendable
  const first = plus(dayStart(at), (1 - days) * DAY_MS)
  const counts = await countByDay(reading, sql`${sendable} and ${matchedFrom(first)}`)
  const perDay = Array.from({ length: days }, (_, place) => dayOf(plus(first, place * DAY_MS))).map((day) => ({
    day,
    count: counts.get(day) ?? 0,
  }))
  const newest = await newestIds(reading, sendable, perDay)
  const mentions = await readMentions(
    db,
    newest.map((mentionId) => ({ workspaceId: reading.workspaceId, mentionId })),
    at,
  )
  return {
    days,
    matched: perDay.reduce((sum, { count }) => sum + count, 0),
    perDay,
    sample: newest.flatMap((id) => mentions.get(id) ?? []),
  }
}

/** Includes snoozed mentions: a snooze only hides from lists. */
async function sendableCondition(
  reading: QueryContext,
  filter: MentionFilter,
): Promise<Statement<unknown> | Refusal<'not_found' | 'validation_error'>> {
  const search = await resolveSearch(reading, { ...EVERY_MENTION, filters: [filterOfRule(filter), { status: 'open' }] })
  if (isRefusal(search)) return search
  const conditions = [
    sql`m.workspace_id = ${reading.workspaceId}`,
    ...search.filters.map((filter) => filterCondition(filter, search.facts)),
  ]
  if (search.hidden !== null) conditions.push(notByAccounts(search.hidden))
  return sql.join(conditions, sql` and `)
}

/** Ids are ordered by time, so older mentions are skipped. */
function matchedFrom(first: Date): Statement<unknown> {
  return sql`m.id >= ${firstUuidAt(first)}`
}

const FOUND = sql`from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id`

async function countByDay({ db }: QueryContext, condition: Statement<unknown>): Promise<Map<string, number>> {
  const rows = await db.query<{ day: string; count: number }>(sql`
    select (m.created_at at time zone 'UTC')::date::text as day, count(*) as count ${FOUND} where ${condition}
      group by 1`)
  return new Map(rows.map(({ day, count }) => [day, count]))
}

/** Reads back only to the day of the last sample. */
async function newestIds(
  { db }: QueryContext,
  condition: Statement<unknown>,
  perDay: SendableCount['perDay'],
): Promise<Uuid[]> {
  const since = firstDayOfSample(perDay)
  if (since === null) return []
  const rows = await db.query<{ id: Uuid }>(
    sql`select m.id ${FOUND} where ${condition} and ${matchedFrom(new Date(since))} order by m.id desc
        limit ${SAMPLE_MAX}`,
  )
  return rows.map(({ id }) => id)
}

function firstDayOfSample(perDay: SendableCount['perDay']): string | null {
  let first: string | null = null
  let missing = SAMPLE_MAX
  for (const { day, count } of perDay.toReversed()) {
    if (count > 0 && missing > 0) first = day
    missing -= count
  }
  return first
}
