import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import {
  advancedFiltersIn,
  conditionsWithPath,
  feedTreeOf,
  offIn,
  simpleFiltersIn,
} from '../../surfaces/compat/feeds/filter-input.ts'
import { entriesOf } from '../../surfaces/compat/fields.ts'
import { saidOf } from '../../surfaces/compat/filters/said.ts'
import type { KeywordNumbers } from './move-keywords.ts'
import type { Moving } from './moving.ts'
import type { ShownFeed } from './workspace.ts'

const filtersIn = z.looseObject({
  simpleFilters: simpleFiltersIn.nullish(),
  advancedFilters: advancedFiltersIn.nullish(),
})
type Filters = z.output<typeof filtersIn>

export async function moveFeeds(
  theirs: readonly ShownFeed[],
  ours: readonly ShownFeed[],
  numbers: KeywordNumbers,
  moving: Moving,
): Promise<void> {
  const known = new Set(ours.map(({ name }) => foldName(name)))
  for (const feed of theirs) {
    const what = `feed "${feed.name}"`
    for (const destination of feed.destinations ?? []) moving.leave(what, ruleFor(destination))
    if (known.has(foldName(feed.name))) {
      moving.isThere(what)
      continue
    }
    const filters = filtersOf(feed, numbers)
    if ('reason' in filters) {
      moving.leave(what, filters.reason)
      continue
    }
    await moving.make(what, 'POST', '/feeds', { name: feed.name, icon: feed.icon ?? 'BellIcon', ...filters.sent })
    known.add(foldName(feed.name))
  }
}

/** Filters with our numbers of keywords, or why they cannot be said here. */
function filtersOf(feed: ShownFeed, numbers: KeywordNumbers): { sent: object } | { reason: string } {
  const parsed = filtersIn.safeParse(feed)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    return { reason: `${path.map(String).join('.')}: ${message}` }
  }
  const off = offIn(parsed.data)
  if (off !== null) return { reason: off.message }
  const missing = keywordsIn(parsed.data).find((number) => !numbers.has(number))
  if (missing !== undefined) return { reason: `it names the keyword ${missing}, which is not here` }
  const renumbered = withNumbers(parsed.data, numbers)
  // Any id does for telling whether the filter can be said.
  const ids = new Map(keywordsIn(renumbered).map((number) => [number, String(number) as Uuid]))
  const said = saidOf(() => feedTreeOf(renumbered, ids))
  if (isRefusal(said)) return { reason: said.message }
  const { simpleFilters, advancedFilters } = renumbered
  return { sent: advancedFilters ? { advancedFilters } : { simpleFilters: simpleFilters ?? null } }
}

function keywordsIn(filters: Filters): number[] {
  return conditionsWithPath(filters).flatMap(({ condition: { field, values } }) =>
    field === 'Keywords' ? entriesOf(values).map(Number) : [],
  )
}

function withNumbers({ simpleFilters, advancedFilters }: Filters, numbers: KeywordNumbers): Filters {
  const renumber = <Item extends { field: string; values: string }>(item: Item): Item =>
    item.field === 'Keywords'
      ? {
          ...item,
          values: entriesOf(item.values)
            .map((number) => numbers.get(Number(number)))
            .join(','),
        }
      : item
  return {
    simpleFilters: simpleFilters && { conditions: simpleFilters.conditions.map(renumber) },
    advancedFilters: advancedFilters && {
      ...advancedFilters,
      groups: advancedFilters.groups.map((group) => ({ ...group, conditions: group.conditions.map(renumber) })),
    },
  }
}

type Destination = NonNullable<ShownFeed['destinations']>[number]

/** The rule that does the same; see docs/guides/migrate-from-octolens.md. */
function ruleFor({ type, frequency, deliveryMode }: Destination): string {
  const kind = String(type ?? 'unknown').toLowerCase()
  const mode = modeFor(kind, frequency ?? '', deliveryMode ?? '')
  return `its ${kind} destination becomes a rule with mode ${mode} at POST /v1/alerts`
}

function modeFor(kind: string, frequency: string, deliveryMode: string): string {
  if (kind === 'webhook' || deliveryMode === 'individual') return 'instant'
  return frequency === 'daily' || frequency === 'weekly' ? frequency : 'hourly'
}
