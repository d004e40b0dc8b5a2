import { pageOfKey } from '../../domain/keyword/queries.ts'
import type { Post } from '../../domain/post/post.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault } from '../../sources/contract.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'
import type { CollectorOptions } from './collect.ts'
import { type PolledSource, type QueriedSource, wholeSecond } from './polled-source.ts'

const MOST_POSTS = 1000
const MOST_LOOKED_BACK = 30
export interface QueryAnswer {
  posts: Post[]
  fault: SourceFault | null
  cut: boolean
}

/** Old posts only when a keyword has just joined, up to a limit. */
export async function ask(
  source: PolledSource,
  asked: QueriedSource,
  options: CollectorOptions,
  signal: AbortSignal,
): Promise<QueryAnswer> {
  const found = new Map<string, Post>()
  let [cut, fault]: [boolean, SourceFault | null] = [false, null]
  for (const part of partsOf(source, asked)) {
    const ended = await read(source, { ...part, asked }, found, options, signal)
    // A look-back needs only a few posts, so cutting it is no loss.
    cut ||= ended.cut && (part.news || asked.queries.length > 1)
    fault = ended.fault
    if (fault) break
  }
  options.metrics.postsRead.inc({ platform: source.platform }, found.size)
  return { posts: [...found.values()].sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()), fault, cut }
}

interface Part {
  since: Date
  limit: number
  news: boolean
}

function partsOf(source: PolledSource, { queries, looking, at, lookBackMs }: QueriedSource): Part[] {
  const back = plus(at, -lookBackMs)
  const since = sinceOf(source, queries, at)
  if (source.mode === 'page')
    return [{ since: looking.length > 0 ? earlier(back, since) : since, limit: MOST_POSTS, news: true }]
  const { mostPosts = MOST_POSTS } = source.searching
  const news = { since, limit: Math.min(MOST_POSTS, mostPosts), news: true }
  const before = { since: back, limit: Math.min(MOST_LOOKED_BACK * queries.length, mostPosts), news: false }
  if (looking.length === 0) return [news]
  return source.mode === 'stream' || queries.every(({ readUntil }) => readUntil === null) ? [before] : [news, before]
}

/** New posts begin where the last poll ended, less the platform's delay, but not before the keyword existed. */
function sinceOf(source: PolledSource, queries: readonly DueQuery[], at: Date): Date {
  const overlapMs = source.mode === 'stream' ? 0 : source.overlapSeconds * SECOND_MS
  const begins = queries.map(({ readUntil, since }) =>
    Math.max(plus(readUntil ?? at, -overlapMs).getTime(), since ? wholeSecond(since).getTime() : 0),
  )
  return new Date(Math.min(at.getTime(), ...begins))
}

function earlier(a: Date, b: Date): Date {
  return a.getTime() <= b.getTime() ? a : b
}

async function read(
  source: PolledSource,
  { since, limit, asked }: Part & { asked: QueriedSource },
  found: Map<string, Post>,
  { contextFor, contextAside }: CollectorOptions,
  signal: AbortSignal,
): Promise<Omit<QueryAnswer, 'posts'>> {
  // Looking back on a feed must not use up the feed's daily requests.
  const context = (source.mode === 'stream' ? contextAside : contextFor)(source, asked.at, signal)
  const terms = asked.queries.flatMap(({ term }) => (term === null ? [] : [term]))
  const portions =
    source.mode === 'page'
      ? source.read(context, pageOfKey(asked.queries[0]!.key), since)
      : source.searching.search(context, { terms, since, limit })
  let count = 0
  try {
    for await (const portion of portions) {
      for (const post of portion) found.set(post.nativeId, post)
      count += portion.length
      if (source.mode !== 'page' && count >= limit) return { fault: null, cut: true }
    }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    return { fault: error, cut: false }
  }
  return { fault: null, cut: false }
}
