import { z } from 'zod'
import type { Numbers } from '../../../commands/compat/number-things.ts'
import type { MentionFilter } from '../../../domain/filter/fields.ts'
import { parseAuthorEntry } from '../../../domain/post/author-entry.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import { lineIn } from '../../../operations/shapes.ts'
import { EVERY_MENTION, type MentionSearch, type WrittenBy } from '../../../queries/mentions/search.ts'
import type { QueryContext } from '../../../queries/reading.ts'
import { getView } from '../../../queries/views/get-view.ts'
import { numberIdIn } from '../fields.ts'
import { MEDIUM } from '../filters/conditions.ts'
import { asksRelevance, keywordNumbersIn, mentionFilterIn, treeOf } from '../filters/mention-filter.ts'
import { saidOf } from '../filters/said.ts'

/** Conditions of the list and of exports. */
export const searchFields = {
  view: numberIdIn.optional().meta({ description: 'Number of a feed, whose filter must hold too.' }),
  filters: mentionFilterIn.optional(),
  includeAll: z.boolean().default(false).meta({
    description:
      'Whether to include mentions that are not relevant or not scored. No effect with a relevance condition.',
  }),
  search: lineIn(1, 200)
    .optional()
    .meta({ description: 'Part of the title, body, handle or display name, in any letter case.' }),
  author: lineIn(1, 500).optional().meta({
    description: 'Handle of the author. Requires exactly one entry in `filters.source`.',
  }),
  includeEngagementMetrics: z.boolean().default(false),
}

export type SearchInput = z.output<z.ZodObject<typeof searchFields>>

type Reading = QueryContext & { numbers: Numbers }

/** The search of ours that a body asks for; feeds that are missing are `not_found`. */
export async function searchFrom(
  context: Reading,
  { view, filters = {}, includeAll, search, author }: SearchInput,
): Promise<MentionSearch | Refusal<'feature_disabled' | 'validation_error' | 'not_found'>> {
  if (author !== undefined && (filters.source?.length !== 1 || filters.groups !== undefined))
    return refuseField('author', 'needs exactly one entry in filters.source')
  const written = author === undefined ? null : writtenBy('author', author)
  if (isRefusal(written)) return written
  const ids = await context.numbers.find('keyword', keywordNumbersIn(filters))
  const said = saidOf(() => treeOf(filters, ids))
  if (isRefusal(said)) return said
  const feed = view === undefined ? null : await feedOf(context, view)
  if (isRefusal(feed)) return feed
  const asked = asksRelevance(filters) || (feed !== null && namesRelevance(feed.filter))
  const floor: MentionFilter[] = asked || includeAll ? [] : [{ minRelevance: MEDIUM }]
  return {
    ...EVERY_MENTION,
    filters: [said.filter, ...floor],
    viewId: feed?.id ?? null,
    since: said.since,
    until: said.until,
    ...(search === undefined ? {} : { containing: search }),
    ...(written === null ? {} : { writtenBy: written }),
  }
}

async function feedOf(context: Reading, number: number) {
  const id = (await context.numbers.find('view', [number])).get(number)
  const view = id === undefined ? null : await getView(context, id)
  if (id === undefined || view === null || isRefusal(view))
    return refuse('not_found', 'This workspace has no feed with this id.')
  return { id, filter: view.filter }
}

function namesRelevance({ anyOf = [], ...own }: MentionFilter): boolean {
  return [own, ...anyOf].some(
    ({ relevant, minRelevance, maxRelevance }) => (relevant ?? minRelevance ?? maxRelevance) !== undefined,
  )
}

/** Somebody by handle, @handle, u/handle or profile link. */
export function writtenBy(field: string, text: string): WrittenBy | Refusal<'validation_error'> {
  const entry = parseAuthorEntry(text)
  if ('invalid' in entry) return refuseField(field, entry.invalid)
  if (!('normal' in entry)) return refuseField(field, 'this link does not name its author')
  return { key: entry.normal, handle: entry.platform === null ? entry.normal : null }
}
