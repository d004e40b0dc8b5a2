import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery, SearchSource } from '../contract.ts'
import { actorSearching } from '../providers/actor-searching.ts'
import type { RunActor } from '../providers/actor-task.ts'
import {
  type CandidatePage,
  type CandidateWindow,
  candidateBatches,
  present,
  searchPhrase,
  windowFor,
} from '../providers/candidates.ts'
import { type ProvidedOptions, providedSource } from '../providers/provider.ts'
import { type AskScrapeCreators, LAST_WINDOWS } from '../providers/scrapecreators.ts'
import { readItems } from '../read-items.ts'
import { fromActor, fromFound } from './to-post.ts'
import { actorPost, foundPost, searchReply } from './wire.ts'

const LOOK_BACK_DAYS = lookBackDaysOn('linkedin')
/** Longer phrases find nothing. */
const PHRASE_CHARACTERS = 80
/** Ten posts and a credit a page. */
const MOST_PAGES = 5
const ACTOR_WINDOWS: [CandidateWindow, ...CandidateWindow[]] = [
  ['1h', 1],
  ['24h', 24],
  ['week', 7 * 24],
  ['month', 30 * 24],
]
/** A run starts slowly; more phrases would exceed its time. */
const PHRASES_PER_RUN = 10
/** A full run costs about 40 cents at the price below. */
const POSTS_PER_PHRASE = 20
const POST_MICRO_USD = 2000

export function linkedin(options: ProvidedOptions): SearchSource {
  return providedSource(options, {
    platform: 'linkedin',
    pollSeconds: PLATFORM_FACTS.linkedin.pollSeconds,
    lookBackDays: LOOK_BACK_DAYS,
    scrapecreators: throughIndex,
    apify: throughActor,
  })
}

function throughIndex(ask: AskScrapeCreators): Searching {
  async function readPage(
    context: CollectContext,
    phrase: string,
    window: string,
    place: string | null,
  ): Promise<CandidatePage> {
    const parameters = { query: phrase, date_posted: window, ...(place === null ? {} : { cursor: place }) }
    const reply = await ask(context, {
      path: '/v1/linkedin/search/posts',
      parameters,
      shape: searchReply,
      nothingStatus: 404,
    })
    if (reply === null) return { posts: [], next: null }
    const posts = readItems(reply.posts, foundPost, context, 'linkedin').map((item) => fromFound(item, context.at))
    return {
      posts: present(posts),
      next: reply.posts.length === 0 || reply.cursor == null ? null : String(reply.cursor),
    }
  }

  async function* search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]> {
    const phrase = searchPhrase(query.terms[0] ?? '', PHRASE_CHARACTERS)
    if (phrase === null) return
    const window = windowFor(LAST_WINDOWS, query, context.at)
    yield* candidateBatches(query, MOST_PAGES, (place) => readPage(context, phrase, window, place))
  }

  return { termsPerSearch: 1, search }
}

function throughActor(run: RunActor): Searching {
  return actorSearching(run, {
    termsPerSearch: PHRASES_PER_RUN,
    entryOf: (term) => quoted(searchPhrase(term, PHRASE_CHARACTERS)),
    list: 'searchQueries',
    inputFor: (query, at) => ({
      postedLimit: windowFor(ACTOR_WINDOWS, query, at),
      sortBy: 'date',
      maxPosts: POSTS_PER_PHRASE,
    }),
    itemsPerEntry: POSTS_PER_PHRASE,
    itemMicroUsd: POST_MICRO_USD,
    postsOf: (items, context) =>
      present(readItems(items, actorPost, context, 'linkedin').map((item) => fromActor(item, context.at))),
  })
}

function quoted(phrase: string | null): string | null {
  return phrase === null ? null : `"${phrase}"`
}
