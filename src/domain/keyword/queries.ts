import { factsOf, isLive, type Platform, SEARCH_PLATFORMS } from '../platform/platforms.ts'
import type { Keyword } from './keyword.ts'

export interface KeywordQuery {
  platform: Platform
  /** Equal for all keywords with the same query. */
  key: string
  /** Null for a page. */
  term: string | null
}

/** Limits of a first poll: mentions per platform and in all, and days for pages. */
export const LOOK_BACK = { perPlatform: 10, inAll: 50, pageDays: 30 } as const

export function lookBackDaysOn(platform: Platform): number {
  return factsOf(platform).longestLookBackDays ?? LOOK_BACK.pageDays
}

/** Other platforms are queried by term. */
export function isWholeFeed(platform: Platform): boolean {
  return factsOf(platform).readsWholeFeed
}

/** Live feeds need no query; other whole feeds are queried once, for older posts if they can be. */
export function queriesOf(
  keyword: Pick<Keyword, 'term' | 'platforms' | 'reviewSources'>,
  termFolded: string,
): KeywordQuery[] {
  const platforms = (keyword.platforms ?? SEARCH_PLATFORMS).filter(
    (platform) => !isLive(platform) && lookBackDaysOn(platform) > 0,
  )
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

export interface PagePart {
  id: string
  country: string | null
  language: string | null
}

/** No id, storefront or language contains a bar. */
export function pageKey({ id, country, language }: PagePart): string {
  return [id, country ?? '', language ?? ''].join('|')
}

export function pageOfKey(key: string): PagePart {
  const [id = '', country = '', language = ''] = key.split('|')
  return { id, country: country || null, language: language || null }
}
