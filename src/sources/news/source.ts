import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import {
  type CollectContext,
  type FaultKind,
  type Limit,
  QuotaReached,
  type SearchQuery,
  type SearchSource,
  SourceFault,
} from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import { type Article, merged, toPost } from './article.ts'
import type { AskIndex, Edition, NewsIndex, NewsQuery } from './ask.ts'
import { askBingNews, BING_HOST, BING_LIMIT } from './bing-news.ts'
import { askingGdelt, GDELT_HOST, GDELT_LIMIT } from './gdelt.ts'
import { askGoogleNews, GOOGLE_HOST, GOOGLE_LIMIT } from './google-news.ts'
import { fits, phraseOf, TERMS_PER_SEARCH } from './phrases.ts'

/**
 * Articles that appear while the indexes are asked are left to the next poll, when their time is not ahead of the
 * poll's.
 */
const FRESH_MS = 900_000
/** An index that fails so often in a row is in trouble that somebody should hear of. */
const TELLING_FAILURES = 3
/** Of several faults the one that passes soonest is reported, because the others may not matter once it has passed. */
const SOONEST: readonly FaultKind[] = ['throttled', 'unavailable', 'shape_changed', 'credentials', 'gone']

interface Index {
  name: NewsIndex
  host: string
  limit: Limit
  ask: AskIndex
}

export interface NewsOptions {
  /** The indexes that are asked; at least one. */
  indexes: readonly NewsIndex[]
  /** The editions of Google News and Bing News; GDELT has none. */
  editions: readonly Edition[]
}

/** Headlines of news articles that an index has found a phrase in. */
export function news(options: NewsOptions): SearchSource {
  const indexes = indexesOf(options)
  const failures: Failures = new Map()
  return {
    platform: 'news',
    hosts: indexes.map(({ host }) => host),
    limits: indexes.map(({ limit }) => limit),
    mode: 'search',
    pollSeconds: PLATFORM_FACTS.news.pollSeconds,
    lookBackDays: lookBackDaysOn('news'),
    overlapSeconds: 172_800,
    searching: {
      termsPerSearch: TERMS_PER_SEARCH,
      fits,
      search: (context, query) => search(context, query, { indexes, editions: options.editions, failures }),
    },
  }
}

/** How often in a row each index has failed. */
type Failures = Map<NewsIndex, number>

/**
 * GDELT stands last: it knows the addresses of articles, and so it has had the time to see what the others have found.
 */
function indexesOf({ indexes, editions }: NewsOptions): Index[] {
  const all: Index[] = [
    { name: 'googlenews', host: GOOGLE_HOST, limit: GOOGLE_LIMIT, ask: askGoogleNews },
    { name: 'bing', host: BING_HOST, limit: BING_LIMIT, ask: askBingNews },
    {
      name: 'gdelt',
      host: GDELT_HOST,
      limit: GDELT_LIMIT,
      ask: askingGdelt({ alone: indexes.every((name) => name === 'gdelt') }),
    },
  ]
  const chosen = all.filter(({ name }) => indexes.includes(name))
  if (chosen.length === 0) throw new Error('news needs an index to ask')
  if (editions.length === 0 && chosen.some(({ name }) => name !== 'gdelt'))
    throw new Error('news feeds need an edition to ask for')
  return chosen
}

interface Means {
  indexes: readonly Index[]
  editions: readonly Edition[]
  failures: Failures
}

/**
 * One portion with everything, because an article that two indexes have found is one post. An index that keeps failing
 * fails the search after that, since otherwise nobody would hear of it.
 */
async function* search(
  context: CollectContext,
  { terms, since, limit }: SearchQuery,
  { indexes, editions, failures }: Means,
): AsyncIterable<Post[]> {
  const phrases = terms.map(phraseOf).filter((phrase): phrase is string => phrase !== null)
  if (phrases.length === 0) return
  const { articles, lasting } = await gathered(context, { phrases, since, limit, editions }, indexes, failures)
  const wanted = merged(articles.filter((article) => article.publishedAt >= since && !isFresh(article, context.at)))
  const found = wanted.map((article) => toPost(article, context.at))
  const posts = newestFirst(found, since, limit)
  if (posts.length > 0) yield posts
  if (lasting) throw lasting
}

/**
 * What the indexes have found, and the fault of an index that has failed several times in a row. An index that fails
 * does not hide what others have found: its fault is logged, and its articles come with a later poll, which asks for
 * the last two days again. Only when no index has answered anything is the search a failure.
 */
async function gathered(
  context: CollectContext,
  query: NewsQuery,
  indexes: readonly Index[],
  failures: Failures,
): Promise<{ articles: Article[]; lasting: SourceFault | null }> {
  const articles: Article[] = []
  const faults: SourceFault[] = []
  const lasting: SourceFault[] = []
  let answers = 0
  for (const { name, ask } of indexes) {
    try {
      const before = answers
      for await (const portion of ask(context, query)) {
        answers += 1
        articles.push(...portion)
      }
      // One that had nothing to be asked for has neither answered nor failed.
      if (answers > before) failures.delete(name)
    } catch (error) {
      if (!(error instanceof SourceFault) || context.signal.aborted) throw error
      // Our own limits only say "not yet": the search waits for its turn, or articles would be kept under Google's
      // addresses.
      if (error instanceof QuotaReached && !error.daily) throw error
      failures.set(name, (failures.get(name) ?? 0) + 1)
      if (failures.get(name)! >= TELLING_FAILURES) lasting.push(error)
      context.log.warn(
        { event: 'source.index_failed', err: error, platform: 'news', index: name, fault: error.kind },
        'An index could not be read to the end',
      )
      faults.push(error)
    }
  }
  if (faults.length > 0 && answers === 0) throw soonest(faults)
  return { articles, lasting: soonest(lasting) }
}

function soonest(faults: readonly SourceFault[]): SourceFault | null {
  return [...faults].sort((a, b) => SOONEST.indexOf(a.kind) - SOONEST.indexOf(b.kind))[0] ?? null
}

function isFresh({ publishedAt }: Article, at: Date): boolean {
  return publishedAt > at && publishedAt.getTime() <= at.getTime() + FRESH_MS
}
