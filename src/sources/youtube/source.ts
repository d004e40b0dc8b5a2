import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Limit, SearchSource } from '../contract.ts'
import { channels } from './channels.ts'
import { type CommentOptions, CommentWatch } from './comments.ts'
import { HOST, listingWith } from './listing.ts'
import { fits, TERMS_PER_SEARCH } from './query.ts'
import { MOST_VIDEOS, videoSearch } from './search.ts'

/** For other requests than searches. */
const UNITS_PER_DAY = 10_000
/** Share of the day's searches in a burst, so that new terms start at once. */
const BURST_SHARE = 0.25

export interface YoutubeOptions {
  /** The project needs the YouTube Data API. */
  key: string
  /** 100 by default. */
  searchesPerDay: number
  /** Comments are read within this part of the day's units; not at all if absent. */
  comments?: CommentOptions & { unitsPerDay: number }
}

export function youtube({ key, searchesPerDay, comments }: YoutubeOptions): SearchSource {
  const list = listingWith(key)
  const watch = comments ? new CommentWatch(list, comments) : null
  const burst = Math.max(1, Math.floor(searchesPerDay * BURST_SHARE))
  return {
    platform: 'youtube',
    hosts: [HOST],
    limits: [
      { quota: 'searches', kind: 'daily', most: searchesPerDay, timeZone: 'America/Los_Angeles' },
      // Spreads searches over the day after a burst; the day's cap is the hard limit.
      { quota: 'searches', kind: 'paced', most: searchesPerDay + burst, perSeconds: 86_400, burst },
      { quota: 'units', kind: 'daily', most: UNITS_PER_DAY, timeZone: 'America/Los_Angeles' },
      ...(comments ? [commentLimit(comments.unitsPerDay)] : []),
    ],
    mode: 'search',
    pollSeconds: PLATFORM_FACTS.youtube.pollSeconds,
    lookBackDays: lookBackDaysOn('youtube'),
    overlapSeconds: 86_400,
    searching: { termsPerSearch: TERMS_PER_SEARCH, mostPosts: MOST_VIDEOS, fits, search: videoSearch(list, watch) },
    ...channels(list),
  }
}

/** So that comments leave units for videos and channels. */
function commentLimit(most: number): Limit {
  return { quota: 'comment units', kind: 'daily', most, timeZone: 'America/Los_Angeles' }
}
