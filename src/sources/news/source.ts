import { lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import {
  type CollectContext,
  type Limit,
  QuotaReached,
  type SearchQuery,
  type SearchSource,
  SourceFault,
  type SourceFaultKind,
} from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import { type Article, merged, toPost } from './article.ts'
import type { AskIndex, Edition, NewsIndex, NewsQuery } from './ask.ts'
import { askBingNews, BING_HOST, BING_LIMIT } from './bing-news.ts'
import { askingGdelt, GDELT_HOST, GDELT_LIMIT } from './gdelt.ts'
import { askGoogleNews, GOOGLE_HOST, GOOGLE_LIMIT } from './google-news.ts'
import { fits, phraseOf, TERMS_PER_SEARCH } from './phrases.ts'

/** Leaves articles that appear during the search to the next poll. */
const FRESH_MS = 900_000
/** Failures in a row before the operator is told. */
const REPORTED_FAILURES_MIN = 3
/** Reports the fault that ends soonest, because the others may be gone by then. */
const SOONEST: readonly SourceFaultKind[] = ['throttled', 'unavailable', 'shape_changed', 'credentials', 'gone']

interface Index {
  name: NewsIndex
  host: string
  limit: Limit
  ask: AskIndex
}

export interface NewsOptions {
  indexes: readonly NewsIndex[]
  /** Of Google News and Bing News; GDELT has none. */
  editions: readonly Edition[]
}

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

/** Failures in a row by index. */
type Failures = Map<NewsIndex, number>

/** GDELT last: it knows the articles' addresses, and has more time to see what the others found. */
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
 * One batch, because an article in two indexes is one post. An index that keeps failing fails the search afterwards, so
 * that it is noticed.
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
 * A failing index does not hide others' articles: its fault is logged, and a later poll covers the last two days again.
 * Fails only if no index answered, or returns the fault of one that keeps failing.
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
      // An index without a request has neither answered nor failed.
      if (answers > before) failures.delete(name)
    } catch (error) {
      if (!isOfIndex(error) || context.signal.aborted) throw error
      failures.set(name, (failures.get(name) ?? 0) + 1)
      if (failures.get(name)! >= REPORTED_FAILURES_MIN) lasting.push(error)
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

/** Waits for our own limits fail the poll, or articles would be stored with Google's addresses. */
function isOfIndex(error: unknown): error is SourceFault {
  return error instanceof SourceFault && !(error instanceof QuotaReached && !error.daily)
}

function soonest(faults: readonly SourceFault[]): SourceFault | null {
  return [...faults].sort((a, b) => SOONEST.indexOf(a.kind) - SOONEST.indexOf(b.kind))[0] ?? null
}

function isFresh({ publishedAt }: Article, at: Date): boolean {
  return publishedAt > at && publishedAt.getTime() <= at.getTime() + FRESH_MS
}
