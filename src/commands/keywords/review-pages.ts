import type { ReviewSource } from '../../domain/keyword/keyword.ts'
import {
  canonicalReviewUrl,
  PLATFORMS_WITH_COUNTRIES,
  PLATFORMS_WITH_LANGUAGE,
  parseReviewLink,
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
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'

export interface ReviewSourceInput {
  url?: string | undefined
  platform?: ReviewPlatform | undefined
  id?: string | undefined
  countries?: readonly string[] | undefined
  language?: string | undefined
}

export interface NamedPage extends Pick<ReviewSourceInput, 'countries' | 'language'> {
  field: string
  platform: ReviewPlatform
  /** The page, or a link whose target only the platform knows. */
  target: { page: ReviewPage } | { link: string }
}

/** By link, for links that do not show their page. */
export type KnownPages = ReadonlyMap<string, ReviewPage>

/** Refuses unknown and repeated pages. */
export function parseReviewPages(inputs: readonly ReviewSourceInput[]): NamedPage[] | Refusal<'validation_error'> {
  const named: NamedPage[] = []
  const seen = new Set<string>()
  for (const [place, input] of inputs.entries()) {
    const item = namedPage(`reviewSources.${place}`, input)
    if (isRefusal(item)) return item
    const objection =
      objectionToOptions(item) ?? ('page' in item.target ? repeated(item, item.target.page, seen) : null)
    if (objection) return objection
    named.push(item)
  }
  return named
}

export interface HiddenPage {
  field: string
  link: string
  platform: ReviewPlatform
}

/** Links to resolve, each once. */
export function hiddenPages(named: readonly NamedPage[]): HiddenPage[] {
  const hidden = new Map<string, HiddenPage>()
  for (const { field, platform, target } of named)
    if ('link' in target && !hidden.has(target.link))
      hidden.set(target.link, { field: `${field}.url`, link: target.link, platform })
  return [...hidden.values()]
}

/** Known pages keep their connection time. */
export function connectedPages(
  named: readonly NamedPage[],
  pages: KnownPages,
  { current, at }: { current: readonly ReviewSource[]; at: Date },
): ReviewSource[] | Refusal<'validation_error'> {
  const sources: ReviewSource[] = []
  const seen = new Set<string>()
  for (const namedPage of named) {
    const page = 'page' in namedPage.target ? namedPage.target.page : pages.get(namedPage.target.link)
    if (page === undefined)
      return refuseField(`${namedPage.field}.url`, 'does not name a page; open it and send the address of the page')
    const objection = repeated(namedPage, page, seen)
    if (objection) return objection
    const source = sourceOf(namedPage, page)
    const before = current.find((other) => keyOf(other) === keyOf(source))
    sources.push({ ...source, connectedAt: before?.connectedAt ?? at })
  }
  return sources
}

function namedPage(field: string, input: ReviewSourceInput): NamedPage | Refusal<'validation_error'> {
  const { url, platform, id, countries, language } = input
  const isById = platform !== undefined && id !== undefined
  if (url === undefined ? !isById : platform !== undefined || id !== undefined)
    return refuseField(field, 'send either `url`, or `platform` and `id`')
  const target = url === undefined ? pageOfId(field, platform!, id!) : pageOfLink(field, url)
  return isRefusal(target) ? target : { field, ...target, countries, language }
}

type Target = Pick<NamedPage, 'platform' | 'target'>

function pageOfId(field: string, platform: ReviewPlatform, id: string): Target | Refusal<'validation_error'> {
  const page = reviewSourceFromId(platform, id)
  if (page === null) return refuseField(`${field}.id`, `is not an id of ${platform}`)
  return { platform, target: { page: { ...page, country: null, language: null } } }
}

function pageOfLink(field: string, url: string): Target | Refusal<'validation_error'> {
  const page = parseReviewLink(url)
  if (page === null)
    return refuseField(`${field}.url`, 'is not a review page of the App Store, Google Play, Trustpilot or Google Maps')
  return { platform: page.platform, target: 'needsResolving' in page ? { link: url } : { page } }
}

function objectionToOptions({ field, platform, countries, language }: NamedPage): Refusal<'validation_error'> | null {
  if (countries !== undefined && !PLATFORMS_WITH_COUNTRIES.includes(platform))
    return refuseField(`${field}.countries`, `does not apply to ${platform}`)
  if (language === undefined) return null
  if (!PLATFORMS_WITH_LANGUAGE.includes(platform))
    return refuseField(`${field}.language`, `does not apply to ${platform}`)
  return reviewLanguage(language) === null
    ? refuseField(`${field}.language`, 'must be a language such as de or pt-BR')
    : null
}

/** Refuses a page seen before; otherwise adds it to `seen`. */
function repeated(named: NamedPage, page: ReviewPage, seen: Set<string>): Refusal<'validation_error'> | null {
  const key = keyOf(sourceOf(named, page))
  if (seen.has(key)) return refuseField(named.field, 'is already in the list')
  seen.add(key)
  return null
}

function keyOf({ platform, id, language }: Pick<ReviewSource, 'platform' | 'id' | 'language'>): string {
  return `${platform} ${id} ${language ?? ''}`
}

function sourceOf(named: NamedPage, page: ReviewPage): Omit<ReviewSource, 'connectedAt'> {
  const { platform, id } = page
  const countries = PLATFORMS_WITH_COUNTRIES.includes(platform) ? countriesOf(named, page) : []
  const language = PLATFORMS_WITH_LANGUAGE.includes(platform) ? languageOf(named, page) : null
  return { platform, id, url: canonicalReviewUrl(platform, id, countries[0] ?? null), countries, language }
}

function countriesOf(named: NamedPage, page: ReviewPage): string[] {
  const countries = named.countries?.map(reviewCountry) ?? [page.country]
  return [...new Set(countries.map((country) => country ?? DEFAULT_REVIEW_COUNTRY))]
}

function languageOf(named: NamedPage, page: ReviewPage): string {
  const language = named.language === undefined ? page.language : reviewLanguage(named.language)
  return language ?? DEFAULT_REVIEW_LANGUAGE
}
