import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery, SearchSource } from '../contract.ts'
import { actorSearching } from '../providers/actor-searching.ts'
import type { RunActor } from '../providers/actor-task.ts'
import { type CandidatePage, candidateBatches, present, searchPhrase, windowFor } from '../providers/candidates.ts'
import { type ProvidedOptions, providedSource } from '../providers/provider.ts'
import { type AskScrapeCreators, LAST_WINDOWS } from '../providers/scrapecreators.ts'
import { readItems } from '../read-items.ts'
import { fromActor, fromFound } from './to-post.ts'
import { actorMedia, foundMedia, hashtagReply, reelsReply } from './wire.ts'

const LOOK_BACK_DAYS = lookBackDaysOn('instagram')
const PHRASE_CHARACTERS = 80
/** About ten posts and a credit a page. A hashtag of one word finds pictures too; a joined one is rare. */
const MOST_PAGES = { oneWord: { reels: 2, hashtag: 3 }, severalWords: { reels: 4, hashtag: 1 } }
const HASHTAGS_PER_RUN = 10
/** A full run costs about 60 cents at the price below. */
const POSTS_PER_HASHTAG = 20
const POST_MICRO_USD = 3000

export function instagram(options: ProvidedOptions): SearchSource {
  return providedSource(options, {
    platform: 'instagram',
    pollSeconds: PLATFORM_FACTS.instagram.pollSeconds,
    lookBackDays: LOOK_BACK_DAYS,
    scrapecreators: throughSearch,
    apify: throughActor,
  })
}

function throughSearch(ask: AskScrapeCreators): Searching {
  async function readReels(
    context: CollectContext,
    phrase: string,
    window: string,
    place: string | null,
  ): Promise<CandidatePage> {
    const question = (query: string) => ({
      path: '/v2/instagram/reels/search',
      parameters: { query, date_posted: window, page: place ?? '1' },
      shape: reelsReply,
    })
    // The provider fails on some phrases of several words.
    const joined = phrase.replaceAll(' ', '')
    const reply =
      joined === phrase
        ? await ask(context, question(phrase))
        : ((await ask(context, { ...question(phrase), nothingStatus: 500 })) ?? (await ask(context, question(joined))))
    const reels = reply?.reels ?? []
    return { posts: postsOf(reels, context), next: reels.length === 0 ? null : String(Number(place ?? '1') + 1) }
  }

  async function readHashtag(
    context: CollectContext,
    hashtag: string,
    window: string,
    place: string | null,
  ): Promise<CandidatePage> {
    const parameters = { hashtag, date_posted: window, media_type: 'all', ...(place === null ? {} : { cursor: place }) }
    const reply = await ask(context, { path: '/v1/instagram/search/hashtag', parameters, shape: hashtagReply })
    const found = reply?.posts ?? []
    return { posts: postsOf(found, context), next: found.length === 0 ? null : (reply?.cursor ?? null) }
  }

  async function* search(context: CollectContext, query: SearchQuery): AsyncIterable<Post[]> {
    const phrase = searchPhrase(query.terms[0] ?? '', PHRASE_CHARACTERS)
    if (phrase === null) return
    const window = windowFor(LAST_WINDOWS, query, context.at)
    const hashtag = hashtagOf(phrase)
    const most = phrase.includes(' ') ? MOST_PAGES.severalWords : MOST_PAGES.oneWord
    const handed = new Set<string>()
    yield* candidateBatches(query, most.reels, (place) => readReels(context, phrase, window, place), handed)
    if (hashtag !== null)
      yield* candidateBatches(query, most.hashtag, (place) => readHashtag(context, hashtag, window, place), handed)
  }

  return { termsPerSearch: 1, search }
}

/** The actor accepts hashtags only. */
function throughActor(run: RunActor): Searching {
  return actorSearching(run, {
    termsPerSearch: HASHTAGS_PER_RUN,
    entryOf: hashtagOf,
    list: 'hashtags',
    inputFor: () => ({ resultsLimit: POSTS_PER_HASHTAG }),
    itemsPerEntry: POSTS_PER_HASHTAG,
    itemMicroUsd: POST_MICRO_USD,
    postsOf: (items, context) =>
      present(readItems(items, actorMedia, context, 'instagram').map((item) => fromActor(item, context.at))),
  })
}

function postsOf(found: readonly unknown[], context: CollectContext): Post[] {
  return present(readItems(found, foundMedia, context, 'instagram').map((item) => fromFound(item, context.at)))
}

/** Null if too short or only digits, which are no hashtag. */
function hashtagOf(term: string): string | null {
  const joined = term
    .slice(0, PHRASE_CHARACTERS * 4)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]/gu, '')
    .slice(0, PHRASE_CHARACTERS)
  return joined.length < 2 || /^\d+$/.test(joined) ? null : joined
}
