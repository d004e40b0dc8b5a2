import { KEYWORD_LIMITS, type Matching, type ReviewSource } from '../../domain/keyword/keyword.ts'
import {
  canonicalReviewUrl,
  PLATFORMS_WITH_COUNTRIES,
  PLATFORMS_WITH_LANGUAGE,
  parseReviewLink,
  type ReviewLink,
  type ReviewPage,
  reviewSourceFromId,
} from '../../domain/keyword/review-source.ts'
import type { ReviewPlatform } from '../../domain/platform/platforms.ts'
import {
  DEFAULT_REVIEW_COUNTRY,
  DEFAULT_REVIEW_LANGUAGE,
  reviewCountry,
  reviewLanguage,
} from '../../domain/platform/storefront.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { normalFormOfTerm } from './term.ts'

/** Matching rules as callers send them; what is absent stays as it was. */
export type MatchingInput = { [Field in keyof Matching]?: Matching[Field] | undefined }

/** The rules after a change; or what is wrong with them. The people among them are looked at by `authorKeysFrom`. */
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

/** One term of a list in the form in which it is kept, or what is wrong with it. */
export function termEntryFrom(
  field: string,
  entry: string,
  { wildcards, max }: { wildcards: boolean; max: number },
): string | Refusal<'validation_error'> {
  const bare = wildcards ? entry.replace(/^\*|\*$/g, '') : entry
  const term = normalFormOfTerm(entry)
  if (term.length === 0 || [...term].length > max) return refuseField(field, `must have 1 to ${max} characters`)
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(bare) ? term : refuseField(field, 'must hold more than a wildcard')
}

/** By link of a post, the keys of its author. */
export type KnownAuthors = ReadonlyMap<string, readonly string[]>

/**
 * The people among the rules in the form in which posts name them; an entry that names nobody is refused. `known` are
 * the authors of posts whose links do not name them.
 */
export function authorKeysFrom(
  { excludedAuthors }: Matching,
  known: KnownAuthors,
): string[] | Refusal<'validation_error'> {
  return namedAuthors('matching.excludedAuthors', excludedAuthors, known)
}

/** The same of the people in any list; `field` is its name. */
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
        'this link does not name its author; give the profile link, the @handle or the name',
      )
  }
  return dedupe(keys)
}

/** A review page as callers name it: by link, or by platform and id. */
export interface ReviewSourceInput {
  url?: string | undefined
  platform?: ReviewPlatform | undefined
  id?: string | undefined
  countries?: readonly string[] | undefined
  language?: string | undefined
}

/** By link, the review page that it leads to, where the link does not say so itself. */
export type KnownPages = ReadonlyMap<string, ReviewPage>

/**
 * The review pages of a keyword after a change; pages that it had before keep the time at which they were connected.
 * While `known` is null no link was followed yet: those behind links are checked as far as can be, and left out.
 */
export function reviewSourcesFrom(
  inputs: readonly ReviewSourceInput[],
  { current, known, at }: { current: readonly ReviewSource[]; known: KnownPages | null; at: Date },
): ReviewSource[] | Refusal<'validation_error'> {
  const sources = new Map<string, ReviewSource>()
  for (const [place, input] of inputs.entries()) {
    const named = namedPage(`reviewSources.${place}`, input, known)
    if (isRefusal(named)) return named
    if ('needsResolving' in named) {
      const checked = reviewSource(
        `reviewSources.${place}`,
        input,
        { platform: named.platform, id: '', country: null, language: null },
        current,
        at,
      )
      if (isRefusal(checked)) return checked
      continue
    }
    const source = reviewSource(`reviewSources.${place}`, input, named, current, at)
    if (isRefusal(source)) return source
    const key = `${source.platform} ${source.id} ${source.language ?? ''}`
    if (sources.has(key)) return refuseField(`reviewSources.${place}`, 'names a page that is in the list already')
    sources.set(key, source)
  }
  return [...sources.values()]
}

function namedPage(
  field: string,
  { url, platform, id }: ReviewSourceInput,
  known: KnownPages | null,
): ReviewLink | Refusal<'validation_error'> {
  if (url !== undefined && (platform !== undefined || id !== undefined))
    return refuseField(field, 'give either url, or platform and id')
  if (url !== undefined) {
    const parsed = parseReviewLink(url)
    if (parsed === null)
      return refuseField(
        `${field}.url`,
        'is not a review page of the App Store, Google Play, Trustpilot or Google Maps',
      )
    if (!('needsResolving' in parsed) || known === null) return parsed
    return (
      known.get(url) ??
      refuseField(`${field}.url`, 'does not say which page it leads to; open it and give the address of the page')
    )
  }
  if (platform === undefined || id === undefined) return refuseField(field, 'give either url, or platform and id')
  const parsed = reviewSourceFromId(platform, id)
  return parsed === null
    ? refuseField(`${field}.id`, `is not an id of ${platform}`)
    : { ...parsed, country: null, language: null }
}

function reviewSource(
  field: string,
  input: ReviewSourceInput,
  page: ReviewPage,
  current: readonly ReviewSource[],
  at: Date,
): ReviewSource | Refusal<'validation_error'> {
  const { platform, id } = page
  const hasStorefronts = PLATFORMS_WITH_COUNTRIES.includes(platform)
  const hasLanguage = PLATFORMS_WITH_LANGUAGE.includes(platform)
  if (input.countries !== undefined && !hasStorefronts)
    return refuseField(`${field}.countries`, `does not apply to ${platform}`)
  if (input.language !== undefined && !hasLanguage)
    return refuseField(`${field}.language`, `does not apply to ${platform}`)
  const named = input.language === undefined ? page.language : reviewLanguage(input.language)
  if (input.language !== undefined && named === null)
    return refuseField(`${field}.language`, 'must be a language such as de or pt-BR')
  const storefronts = input.countries?.map(reviewCountry) ?? [page.country]
  const countries = hasStorefronts ? dedupe(storefronts.map((country) => country ?? DEFAULT_REVIEW_COUNTRY)) : []
  const language = hasLanguage ? (named ?? DEFAULT_REVIEW_LANGUAGE) : null
  const before = current.find(
    (source) => source.platform === platform && source.id === id && source.language === language,
  )
  return {
    platform,
    id,
    url: canonicalReviewUrl(platform, id, countries[0] ?? null),
    countries,
    language,
    connectedAt: before?.connectedAt ?? at,
  }
}

function dedupe<Entry>(entries: readonly Entry[]): Entry[] {
  return [...new Set(entries)]
}
