import { factsOf, isLive, type Platform, SEARCH_PLATFORMS } from '../platform/platforms.ts'
import type { Keyword } from './keyword.ts'

/** One thing that a platform is asked for: a term, or one storefront or language of a review page. */
export interface KeywordQuery {
  platform: Platform
  /** The folded term, or the page's id, storefront and language. Equal for all keywords that ask for the same. */
  key: string
  /** The term as it was written; null for a page. */
  term: string | null
}

/**
 * What the first poll for a new keyword may bring in: mentions of one platform, and of all search platforms together.
 */
export const LOOK_BACK = { perPlatform: 10, inAll: 50, pageDays: 30 } as const

/** Days that the first poll for a new keyword, or of a new page, looks back. */
export function lookBackDaysOn(platform: Platform): number {
  return factsOf(platform).longestLookBackDays ?? LOOK_BACK.pageDays
}

/** True where everything is read, for all keywords at once; other platforms are asked for each term. */
export function isWholeFeed(platform: Platform): boolean {
  return factsOf(platform).readsWholeFeed
}

/**
 * Everything that platforms have to be asked for on behalf of a keyword. A live feed is asked for nothing: it brings
 * everything as it appears. Other platforms whose whole feed is read are asked once, for what was there before.
 */
export function queriesOf(
  keyword: Pick<Keyword, 'term' | 'platforms' | 'reviewSources'>,
  termFolded: string,
): KeywordQuery[] {
  const platforms = (keyword.platforms ?? SEARCH_PLATFORMS).filter((platform) => !isLive(platform))
  const terms = platforms.map((platform) => ({ platform, key: termFolded, term: keyword.term }))
  const pages = keyword.reviewSources.flatMap(({ platform, id, countries, language }) =>
    (countries.length === 0 ? [null] : countries).map((country) => ({
      platform,
      key: pageKey({ id, country, language }),
      term: null,
    })),
  )
  return [...new Map([...terms, ...pages].map((query) => [`${query.platform} ${query.key}`, query])).values()]
}

/** One storefront or language of a review page. */
export interface PagePart {
  id: string
  country: string | null
  language: string | null
}

/** No id, storefront or language holds a bar. */
export function pageKey({ id, country, language }: PagePart): string {
  return [id, country ?? '', language ?? ''].join('|')
}

export function pageOfKey(key: string): PagePart {
  const [id = '', country = '', language = ''] = key.split('|')
  return { id, country: country || null, language: language || null }
}
