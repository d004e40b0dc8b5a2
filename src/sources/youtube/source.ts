import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { SearchSource } from '../contract.ts'
import { channels } from './channels.ts'
import { HOST, listingWith } from './listing.ts'
import { fits, TERMS_PER_SEARCH } from './query.ts'
import { MOST_VIDEOS, videoSearch } from './search.ts'

/** Units for everything but searches, which every key has. */
const UNITS_PER_DAY = 10_000
/** The share of the day's searches that may be made at once, so that new terms are looked up without delay. */
const BURST_SHARE = 0.25

export interface YoutubeOptions {
  /** Key of a project for which the YouTube Data API is switched on. */
  key: string
  /** Searches that the project has in a day, 100 unless it was given more. */
  searchesPerDay: number
}

/** Videos of YouTube by title and description, from the Data API. Its searches are few, so terms share them. */
export function youtube({ key, searchesPerDay }: YoutubeOptions): SearchSource {
  const list = listingWith(key)
  const burst = Math.max(1, Math.floor(searchesPerDay * BURST_SHARE))
  return {
    platform: 'youtube',
    hosts: [HOST],
    limits: [
      { quota: 'searches', kind: 'daily', most: searchesPerDay, timeZone: 'America/Los_Angeles' },
      // The hard limit is that of the day; this one only spreads the searches over it, after a burst.
      { quota: 'searches', kind: 'paced', most: searchesPerDay + burst, perSeconds: 86_400, burst },
      { quota: 'units', kind: 'daily', most: UNITS_PER_DAY, timeZone: 'America/Los_Angeles' },
    ],
    mode: 'search',
    pollSeconds: PLATFORM_FACTS.youtube.pollSeconds,
    lookBackDays: lookBackDaysOn('youtube'),
    overlapSeconds: 86_400,
    searching: { termsPerSearch: TERMS_PER_SEARCH, mostPosts: MOST_VIDEOS, fits, search: videoSearch(list) },
    ...channels(list),
  }
}
