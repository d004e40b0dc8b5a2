import { FILTER_FIELDS, type MentionFilter } from '../filter/fields.ts'
import { listOf } from '../filter/predicate.ts'

/** How many authors the filter of a rule can leave out. */
export const MUTED_AUTHORS_MAX: number = FILTER_FIELDS.excludeAuthors.form.max

/** The authors that a rule leaves out, in their normal form. */
export function mutedAuthors({ excludeAuthors }: MentionFilter): string[] {
  return excludeAuthors === undefined ? [] : listOf(excludeAuthors).map(String)
}

/** The filter with more authors left out; those it left out already stay where they are. */
export function withMuted(filter: MentionFilter, authors: readonly string[]): MentionFilter {
  return { ...filter, excludeAuthors: [...new Set([...mutedAuthors(filter), ...authors])] }
}

/** The filter without leaving these authors out. Its alternatives stay as they are. */
export function withoutMuted(filter: MentionFilter, authors: readonly string[]): MentionFilter {
  const { excludeAuthors: _, ...others } = filter
  const left = mutedAuthors(filter).filter((author) => !authors.includes(author))
  return left.length === 0 ? others : { ...others, excludeAuthors: left }
}
