import { KEYWORD_LIMITS, type Matching } from '../../domain/keyword/keyword.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { normalFormOfTerm } from './term.ts'

/** Absent fields stay. */
export type MatchingInput = { [Field in keyof Matching]?: Matching[Field] | undefined }

/** Does not check the people: see `authorKeysFrom`. */
export function matchingFrom(input: MatchingInput, current: Matching): Matching | Refusal<'validation_error'> {
  const requiredTerms = termsFrom('matching.requiredTerms', input.requiredTerms, current.requiredTerms, false)
  if (isRefusal(requiredTerms)) return requiredTerms
  const excludedTerms = termsFrom('matching.excludedTerms', input.excludedTerms, current.excludedTerms, true)
  if (isRefusal(excludedTerms)) return excludedTerms
  return {
    requiredTerms,
    requiredMode: input.requiredMode ?? current.requiredMode,
    excludedTerms,
    excludedAuthors: dedupe((input.excludedAuthors ?? current.excludedAuthors).map((entry) => entry.trim())),
    caseSensitive: input.caseSensitive ?? current.caseSensitive,
  }
}

function termsFrom(
  field: string,
  input: readonly string[] | undefined,
  current: readonly string[],
  wildcards: boolean,
): string[] | Refusal<'validation_error'> {
  const terms: string[] = []
  for (const [at, entry] of (input ?? current).entries()) {
    const term = termEntryFrom(`${field}.${at}`, entry, { wildcards, max: KEYWORD_LIMITS.termEntryMax })
    if (isRefusal(term)) return term
    terms.push(term)
  }
  return dedupe(terms)
}

export function termEntryFrom(
  field: string,
  entry: string,
  { wildcards, max }: { wildcards: boolean; max: number },
): string | Refusal<'validation_error'> {
  const bare = wildcards ? entry.replace(/^\*|\*$/g, '') : entry
  const term = normalFormOfTerm(entry)
  if (term.length === 0 || [...term].length > max) return refuseField(field, `must have 1 to ${max} characters`)
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(bare) ? term : refuseField(field, 'must contain more than a wildcard')
}

/** Keys of the author by post link. */
export type KnownAuthors = ReadonlyMap<string, readonly string[]>

/** Normal forms of the excluded people. `known` holds the authors of post links that do not name them. */
export function authorKeysFrom(
  { excludedAuthors }: Matching,
  known: KnownAuthors,
): string[] | Refusal<'validation_error'> {
  return namedAuthors('matching.excludedAuthors', excludedAuthors, known)
}

export function namedAuthors(
  field: string,
  entries: readonly string[],
  known: KnownAuthors,
): string[] | Refusal<'validation_error'> {
  const keys: string[] = []
  for (const [at, entry] of entries.entries()) {
    const parsed = parseAuthorEntry(entry)
    const author = known.get(entry)
    if ('normal' in parsed) keys.push(parsed.normal)
    else if (author) keys.push(...author)
    else if ('invalid' in parsed) return refuseField(`${field}.${at}`, parsed.invalid)
    else
      return refuseField(
        `${field}.${at}`,
        'this link does not name its author; send the profile link, the @handle or the name',
      )
  }
  return dedupe(keys)
}

function dedupe<Entry>(entries: readonly Entry[]): Entry[] {
  return [...new Set(entries)]
}
