import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { MONEY, type SearchSource } from '../contract.ts'
import { asking, HOST } from './asking.ts'
import { people } from './people.ts'
import { fits } from './query.ts'
import { mostPostsFor, recentSearch } from './search.ts'

/** The query's length is usually the lower limit. */
const TERMS_PER_SEARCH = 30
const QUARTER_HOUR_SECONDS = 900

export interface XOptions {
  bearerToken: string
  /** In millionths of a dollar per UTC day; under 50,000 no page is affordable. */
  dailyMicroUsd: number
}

/** Every post and person costs money. A poll may pass midnight, so the clock tells the day. */
export function x({ bearerToken, dailyMicroUsd }: XOptions, clock: Pick<Clock, 'now'> = systemClock): SearchSource {
  const ask = asking(bearerToken)
  return {
    platform: 'x',
    hosts: [HOST],
    limits: [
      { quota: 'searches', kind: 'paced', most: 450, perSeconds: QUARTER_HOUR_SECONDS, burst: 20 },
      { quota: 'lookups', kind: 'paced', most: 300, perSeconds: QUARTER_HOUR_SECONDS, burst: 20 },
      { quota: MONEY, kind: 'daily', most: dailyMicroUsd, timeZone: 'UTC' },
    ],
    mode: 'search',
    pollSeconds: PLATFORM_FACTS.x.pollSeconds,
    // The recent search reaches no further.
    lookBackDays: lookBackDaysOn('x'),
    overlapSeconds: 300,
    searching: {
      termsPerSearch: TERMS_PER_SEARCH,
      mostPosts: mostPostsFor(dailyMicroUsd),
      fits,
      search: recentSearch(ask, { dailyMicroUsd, clock }),
    },
    ...people(ask),
  }
}
