import { z } from 'zod'
import type { Numbers } from '../../../commands/compat/number-things.ts'
import { VIEW_LIMITS } from '../../../domain/filter/view.ts'
import { isRefusal, type Refusal, refuse } from '../../../domain/refusal/refusal.ts'
import { fromId, type Uuid } from '../../../kernel/ids.ts'
import { lineIn, textOut, timeOut } from '../../../operations/shapes.ts'
import { getKeywords } from '../../../queries/keywords/get-keyword.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import type { View } from '../../../queries/views/view-shape.ts'
import { numberIdIn, numberIdOut } from '../fields.ts'
import { saidOf } from '../filters/said.ts'
import {
  advancedFiltersIn,
  type FeedFilters,
  feedTreeOf,
  keywordsNamed,
  missingKeyword,
  offIn,
  simpleFiltersIn,
} from './filter-input.ts'
import { keywordUuidsIn, shownFilters } from './filter-output.ts'

const ICON = 'BellIcon'
const conditionOut = z.strictObject({
  field: z.string().max(30),
  operator: z.string().max(10).optional(),
  values: z.string().max(20_000),
})
const operatorOut = z.enum(['AND', 'OR'])

export const feedShape = z
  .strictObject({
    id: numberIdOut,
    name: textOut(VIEW_LIMITS.name),
    icon: z.literal(ICON),
    simpleFilters: z.strictObject({ conditions: z.array(conditionOut).max(50) }).nullable(),
    advancedFilters: z
      .strictObject({
        top_level_operator: operatorOut,
        groups: z
          .array(z.strictObject({ group_operator: operatorOut, conditions: z.array(conditionOut).max(50) }))
          .max(50),
      })
      .nullable(),
    isDefault: z.literal(false),
    destinations: z.array(z.never()).max(0).meta({ description: 'Rules are made at POST /v1/alerts.' }),
    createdAt: timeOut,
    updatedAt: timeOut,
  })
  .meta({
    id: 'Feed',
    description: 'A saved view. Both filters are null where its filter cannot be said here; it is then read-only.',
  })

export const feedIdIn = numberIdIn.meta({ description: 'Number of a feed.' })

/** What may be said of a feed. */
export const feedInput = {
  name: lineIn(1, VIEW_LIMITS.name),
  icon: z.string().min(1).max(50).optional().meta({ description: 'Feeds here have one icon.' }),
  simpleFilters: simpleFiltersIn.nullable().optional(),
  advancedFilters: advancedFiltersIn.nullable().optional(),
  destinations: z.array(z.unknown()).max(50).optional().meta({ description: 'Other than empty, answered 501.' }),
}

export function viewUuid({ id }: Pick<View, 'id'>): Uuid {
  return fromId('vw', id)!
}

/** Feeds with all their numbers, for a list at once. */
export async function shownFeeds(
  { numbers }: { numbers: Numbers },
  views: readonly View[],
): Promise<z.output<typeof feedShape>[]> {
  const numberOf = await numbers.of([
    ...views.map((view) => ({ kind: 'view' as const, id: viewUuid(view) })),
    ...views.flatMap(({ filter }) => keywordUuidsIn(filter)).map((id) => ({ kind: 'keyword' as const, id })),
  ])
  return views.map((view) => ({
    id: numberOf(viewUuid(view)),
    name: view.name,
    icon: ICON,
    ...shownFilters(view.filter, numberOf),
    isDefault: false as const,
    destinations: [],
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  }))
}

export async function shownFeed(context: { numbers: Numbers }, view: View): Promise<z.output<typeof feedShape>> {
  const [feed] = await shownFeeds(context, [view])
  return feed!
}

/** A view whose filter these feeds cannot say. */
export function isReadOnly({ filter }: View): boolean {
  const { simpleFilters, advancedFilters } = shownFilters(filter, () => 1)
  return simpleFilters === null && advancedFilters === null
}

const NO_DESTINATIONS = refuse(
  'feature_disabled',
  'destinations: rules are made at POST /v1/alerts, with the filter of the feed as `filter`. Nothing was stored.',
)

/** Alerts are no part of this interface. */
export function refusedDestinations({ destinations = [] }: { destinations?: readonly unknown[] | undefined }) {
  return destinations.length > 0 ? NO_DESTINATIONS : null
}

/** The filter of a view that the feed's filters say. */
export async function viewFilterFrom(context: QueryContext & { numbers: Numbers }, filters: FeedFilters) {
  const named = keywordsNamed(filters)
  const ids = await context.numbers.find(
    'keyword',
    named.flatMap((item) => item.numbers),
  )
  // Numbers outlive their keywords.
  const there = await getKeywords(context, [...ids.values()])
  const isThere = (number: number) => ids.has(number) && there.has(ids.get(number)!)
  const missing = named.find((item) => item.numbers.some((number) => !isThere(number)))
  if (missing !== undefined) return missingKeyword(missing.path)
  const off = offIn(filters)
  if (off !== null) return off
  const said = saidOf(() => feedTreeOf(filters, ids))
  return isRefusal(said) ? said : said.filter
}

export async function feedIdOf(
  { numbers }: { numbers: Numbers },
  number: number,
): Promise<Uuid | Refusal<'not_found'>> {
  return (
    (await numbers.find('view', [number])).get(number) ??
    refuse('not_found', 'This workspace has no feed with this id.')
  )
}
