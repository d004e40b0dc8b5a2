import { pageOfKey } from '../../domain/keyword/queries.ts'
import type { Post } from '../../domain/post/post.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { SourceFault } from '../../sources/contract.ts'
import type { DueQuery } from '../../store/source/source-queries.ts'
import { type Asked, type AskedSource, wholeSecond } from './asked-source.ts'
import type { CollectOptions } from './collect.ts'

/** Most posts that one poll reads of what is new, and for each term of what was there before. */
const MOST_POSTS = 1000
const MOST_LOOKED_BACK = 30
/**
 * What a platform has handed out, each post once, newest first; why it ended before its time, and whether there was
 * more than was read.
 */
export interface Answer {
  posts: Post[]
  fault: SourceFault | null
  cut: boolean
}

/**
 * What is new is read whole, and what was there before as far as it is wanted: where somebody new has joined a query,
 * one after the other.
 */
export async function ask(
  source: AskedSource,
  asked: Asked,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const found = new Map<string, Post>()
  let [cut, fault]: [boolean, SourceFault | null] = [false, null]
  for (const part of partsOf(source, asked)) {
    const ended = await read(source, { ...part, asked }, found, options, signal)
    // Of what was there before nobody wants more than a few.
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
  /** Whether it is all that is new, and not only what was there before. */
  news: boolean
}

function partsOf(source: AskedSource, { queries, looking, at, lookBackMs }: Asked): Part[] {
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

/**
 * From where what is new begins: where the last poll ended, less the time by which the platform may be late, but not
 * before anybody wanted it.
 */
function sinceOf(source: AskedSource, queries: readonly DueQuery[], at: Date): Date {
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
  source: AskedSource,
  { since, limit, asked }: Part & { asked: Asked },
  found: Map<string, Post>,
  { contextFor, contextAside }: CollectOptions,
  signal: AbortSignal,
): Promise<Omit<Answer, 'posts'>> {
  // What a feed had before must not take the day's requests away from the feed.
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
