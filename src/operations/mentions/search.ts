import type { z } from 'zod'
import { isRefusal, type Refusal } from '../../kernel/refusal.ts'
import type { MentionSearch } from '../../queries/mentions/list-mentions.ts'
import { filterFromQuery, mentionFilterQuery } from '../filter-shapes.ts'
import { lineIn, timeIn } from '../shapes.ts'

/** The parameters that say which mentions are meant; lists and exports share them. */
export const mentionSearchQuery = {
  ...mentionFilterQuery,
  q: lineIn(1, 200).optional().meta({ description: 'Words that must all stand in the text of the post or the name of its author.' }),
  since: timeIn().optional().meta({ description: 'Published at this time or later.' }),
  until: timeIn().optional().meta({ description: 'Published before this time.' }),
}

/** The search that the parameters ask for. */
export function searchFrom(query: z.output<z.ZodObject<typeof mentionSearchQuery>>): MentionSearch | Refusal<'validation_error'> {
  const filter = filterFromQuery(query)
  if (isRefusal(filter)) return filter
  return { filter, q: query.q ?? null, since: query.since ?? null, until: query.until ?? null }
}
