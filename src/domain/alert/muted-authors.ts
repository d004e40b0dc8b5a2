import { FILTER_FIELDS, type MentionFilter } from '../filter/fields.ts'
import { listOf } from '../filter/predicate.ts'

export const MUTED_AUTHORS_MAX: number = FILTER_FIELDS.excludeAuthors.form.max

export function mutedAuthors({ excludeAuthors }: MentionFilter): string[] {
  return excludeAuthors === undefined ? [] : listOf(excludeAuthors).map(String)
}

export function withMuted(filter: MentionFilter, authors: readonly string[]): MentionFilter {
  return { ...filter, excludeAuthors: [...new Set([...mutedAuthors(filter), ...authors])] }
}

/** The alternatives in `anyOf` stay unchanged. */
export function withoutMuted(filter: MentionFilter, authors: readonly string[]): MentionFilter {
  const { excludeAuthors: _, ...others } = filter
  const left = mutedAuthors(filter).filter((author) => !authors.includes(author))
  return left.length === 0 ? others : { ...others, excludeAuthors: left }
}
