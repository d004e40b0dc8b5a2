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
import type { AskScrapeCreators } from '../providers/scrapecreators.ts'
import { readItems } from '../read-items.ts'
import { fromActor, fromFound } from './to-post.ts'
import { actorVideo, foundVideo, searchReply } from './wire.ts'

/** About the limit of TikTok's search box. */
const PHRASE_CHARACTERS = 100
/** 12 to 30 posts and a credit a page. */
const MOST_PAGES = 5
const FOUND_WINDOWS: [CandidateWindow, ...CandidateWindow[]] = [
  ['yesterday', 24],
  ['this-week', 7 * 24],
  ['this-month', 30 * 24],
  ['last-3-months', 90 * 24],
  ['last-6-months', 180 * 24],
  ['all-time', Number.POSITIVE_INFINITY],
]
/** 3 is the order by date. */
const ACTOR_WINDOWS: [CandidateWindow, ...CandidateWindow[]] = [
  ['1', 24],
  ['2', 7 * 24],
  ['3', 30 * 24],
  ['4', 90 * 24],
  ['5', 180 * 24],
  ['0', Number.POSITIVE_INFINITY],
]
const ACTOR_BY_DATE = '3'
/** The actor opens a browser per phrase; more would exceed its time. */
const PHRASES_PER_RUN = 5
/** A full run costs about 50 cents at the price below. */
const VIDEOS_PER_PHRASE = 20
const VIDEO_MICRO_USD = 5000

export function tiktok(options: ProvidedOptions): SearchSource {
  return providedSource(options, {
    platform: 'tiktok',
    pollSeconds: PLATFORM_FACTS.tiktok.pollSeconds,
    lookBackDays: lookBackDaysOn('tiktok'),
    scrapecreators: throughSearch,
    apify: throughActor,
  })
}

function throughSearch(ask: AskScrapeCreators): Searching {
  async function readPage(
    context: CollectContext,
    query: SearchQuery,
    phrase: string,
    place: string | null,
  ): Promise<CandidatePage> {
    const parameters = {
      query: phrase,
      date_posted: windowFor(FOUND_WINDOWS, query, context.at),
      sort_by: 'date-posted',
      trim: 'true',
    }
    const reply = await ask(context, {
      path: '/v1/tiktok/search/keyword',
      parameters: place === null ? parameters : { ...parameters, cursor: place },
      shape: searchReply,
    })
    const found = readItems(reply?.search_item_list ?? [], foundVideo, context, 'tiktok')
    const posts = present(found.map((item) => fromFound(item, context.at)))
    // Sorted by date.
    const done = !posts.some((post) => post.publishedAt >= query.since)
    return { posts, next: done || !reply?.has_more || reply.cursor == null ? null : String(reply.cursor) }
  }

  async function* search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]> {
    const phrase = searchPhrase(query.terms[0] ?? '', PHRASE_CHARACTERS)
    if (phrase !== null) yield* candidateBatches(query, MOST_PAGES, (place) => readPage(context, query, phrase, place))
  }

  return { termsPerSearch: 1, search }
}

function throughActor(run: RunActor): Searching {
  return actorSearching(run, {
    termsPerSearch: PHRASES_PER_RUN,
    entryOf: (term) => searchPhrase(term, PHRASE_CHARACTERS),
    list: 'searchQueries',
    inputFor: (query, at) => ({
      resultsPerPage: VIDEOS_PER_PHRASE,
      searchSection: '/video',
      searchSorting: ACTOR_BY_DATE,
      searchDatePosted: windowFor(ACTOR_WINDOWS, query, at),
      shouldDownloadVideos: false,
      shouldDownloadCovers: false,
    }),
    itemsPerEntry: VIDEOS_PER_PHRASE,
    itemMicroUsd: VIDEO_MICRO_USD,
    postsOf: (items, context) =>
      present(readItems(items, actorVideo, context, 'tiktok').map((item) => fromActor(item, context.at))),
  })
}
