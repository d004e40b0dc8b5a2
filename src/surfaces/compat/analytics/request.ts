import { z } from 'zod'
import type { Numbers } from '../../../commands/compat/number-things.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import { DAY_MS, dayOf, plus } from '../../../kernel/clock.ts'
import { listIn } from '../../../operations/shapes.ts'
import { type Windows, windowsFrom } from '../../../queries/analytics/window.ts'
import { EVERY_MENTION, type MentionSearch } from '../../../queries/mentions/search.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import { instantIn, numberIdIn } from '../fields.ts'
import { keywordIn, relevanceIn, sourceIn } from '../filters/conditions.ts'
import { KEYWORDS_MAX } from '../filters/mention-filter.ts'
import { saidOf } from '../filters/said.ts'
import { FILTER_SLUGS } from '../platforms.ts'

const SPAN_DAYS_MAX = 365

export const figuresQuery = {
  startDate: instantIn('begin')
    .optional()
    .meta({ description: 'Requires `endDate`. Default: the last 30 days (UTC).' }),
  endDate: instantIn('end')
    .optional()
    .meta({ description: `Included. At most ${SPAN_DAYS_MAX} days after startDate.` }),
  keywordIds: listIn(numberIdIn, KEYWORDS_MAX).optional().meta({ description: 'Numbers of keywords.' }),
  platforms: listIn(z.enum(FILTER_SLUGS as [string, ...string[]]), 50)
    .optional()
    .meta({ description: 'Sources.' }),
  relevance: listIn(z.enum(['0', '1', '2']), 3)
    .default(['0', '1'])
    .meta({ description: 'One of the sets 0 | 0,1 | 2 | 0,1,2.' }),
  tag: listIn(z.string().max(100), 50).optional().meta({ description: 'Answered 501.' }),
  sentiment: listIn(z.string().max(20), 50).optional().meta({ description: 'Answered 501.' }),
}

type FiguresQuery = z.output<z.ZodObject<typeof figuresQuery>>

export interface FiguresRequest {
  search: MentionSearch
  windows: Windows
}

/** Mentions by publication; those of muted people and snoozed ones are left out. */
export async function figuresRequestFrom(
  context: QueryContext & { numbers: Numbers },
  query: FiguresQuery,
): Promise<FiguresRequest | Refusal> {
  const windows = windowsOf(query, context.clock.now())
  if (isRefusal(windows)) return windows
  for (const name of ['tag', 'sentiment'] as const)
    if (query[name] !== undefined) return refuse('feature_disabled', `${name} is not available in analytics.`)
  const { keywordIds, platforms, relevance } = query
  const ids = await context.numbers.find('keyword', keywordIds ?? [])
  const said = saidOf(() => ({
    operator: 'AND',
    groups: [
      {
        operator: 'AND',
        conditions: [
          relevanceIn(relevance.map(Number)),
          ...(platforms === undefined ? [] : [sourceIn(platforms)]),
          ...(keywordIds === undefined ? [] : [keywordIn([...ids.values()])]),
        ],
      },
    ],
  }))
  return isRefusal(said) ? said : { search: { ...EVERY_MENTION, filters: [said.filter] }, windows }
}

function windowsOf({ startDate, endDate }: FiguresQuery, at: Date): Windows | Refusal<'validation_error'> {
  if (startDate === undefined && endDate === undefined) return windowsFrom({ timezone: 'UTC', compare: false }, at)
  if (startDate === undefined) return refuseField('startDate', 'is required with endDate')
  if (endDate === undefined) return refuseField('endDate', 'is required with startDate')
  if (startDate > endDate) return refuseField('endDate', 'must not be before startDate')
  if (endDate.getTime() - startDate.getTime() > SPAN_DAYS_MAX * DAY_MS)
    return refuseField('endDate', `must be at most ${SPAN_DAYS_MAX} days after startDate`)
  const [from, to] = [dayOf(startDate), dayOf(endDate)]
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return { current: { from, to, days, timezone: 'UTC', begin: startDate, end: plus(endDate, 1) }, previous: null }
}
