import type { Keyword } from '../../domain/keyword/keyword.ts'
import { type Post, shownPostText } from '../../domain/post/post.ts'
import { findTerm, type TermPlace } from '../../matching/index.ts'

/** In the order of `matches`. */
export const MATCH_FIELDS = ['title', 'text'] as const
/** Most matches of a post. */
export const TERM_MATCHES = 50

/** UTF-16 offsets into a field of the post as it is shown. */
export interface TermMatch extends TermPlace {
  field: (typeof MATCH_FIELDS)[number]
}

export function termMatches(
  { term, matching: { caseSensitive } }: Keyword,
  { title, text }: Pick<Post, 'title' | 'text'>,
): TermMatch[] {
  const shown = { title: title ?? '', text: shownPostText({ title, text }) }
  return MATCH_FIELDS.flatMap((field) =>
    findTerm(shown[field], term, { caseSensitive, most: TERM_MATCHES }).map((place) => ({ field, ...place })),
  ).slice(0, TERM_MATCHES)
}
