import type { IngestOptions } from '../../src/commands/mentions/ingest-posts.ts'
import type { MatchedPost } from '../../src/domain/mention/matched-post.ts'
import type { Post } from '../../src/domain/post/post.ts'
import { plus, SECOND_MS, systemClock } from '../../src/kernel/clock.ts'
import type { Database, Transaction } from '../../src/store/database.ts'
import { SearchWords } from '../../src/store/filter/search-words.ts'
import type { Cast, Watched } from './cast.ts'

export const BATCH = 500
/** One post in so many is matched by a second keyword, and one in so many came before. */
const SEVERAL = 10
const REPEATED = 100
/** One in so many says a word that nobody said before, as the words of long years go on growing. */
const NEW_WORD = 5
/** One mention in so many is the large workspace's. */
const LARGE = 6
/** Repeats come among the posts of so many batches. */
const REMEMBERED = 20

/** Draws batches of matched posts, each of about 500 mentions. */
export type Draw = () => MatchedPost[]

/**
 * Batches as collecting hands them over. `run` tells the posts of one run from those of another. With `lanes` a batch
 * holds the keywords of one part of the workspaces only.
 */
export function drawing({ texts, large, others }: Cast, run: string, lane = 0, lanes = 1): Draw {
  const mine = (watched: readonly Watched[]) => watched.filter((_, at) => at % lanes === lane)
  const [largeOnes, otherOnes] = lanes === 1 ? [large, others] : [mine(large), mine(others)]
  const recent: MatchedPost[] = []
  let number = 0
  let state = lane * 7919 + 1
  const below = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  const keyword = (): Watched => {
    const from = below(LARGE) === 0 ? largeOnes : otherOnes
    return from[below(from.length)]!
  }
  const fresh = (): MatchedPost => {
    const { text, words } = texts[below(texts.length)]!
    number += 1
    const author = `author ${below(1e6)}`
    const matched: MatchedPost = {
      post: madePost({ nativeId: `${run} ${lane} ${number}`, url: `https://posts.example/${run}/${number}` }, text, {
        platform: (['bluesky', 'hackernews', 'reddit'] as const)[below(3)]!,
        links: number % 4 === 0 ? [`https://site${below(1000)}.example/page`] : [],
        author,
        followers: below(5000),
      }),
      words: number % NEW_WORD === 0 ? [...words, `new${run}${number}`] : words,
      authorKeys: [author],
      keywords: below(SEVERAL) === 0 ? [keyword(), keyword()] : [keyword()],
    }
    recent.push(matched)
    if (recent.length > REMEMBERED * BATCH) recent.shift()
    return matched
  }
  return () => {
    const batch: MatchedPost[] = []
    for (let mentions = 0; mentions < BATCH; ) {
      const post = recent.length > BATCH && below(REPEATED) === 0 ? recent[below(recent.length - BATCH)]! : fresh()
      batch.push(post)
      mentions += post.keywords.length
    }
    return batch
  }
}

function madePost(
  ids: Pick<Post, 'nativeId' | 'url'>,
  text: string,
  { platform, links, author, followers }: Pick<Post, 'platform' | 'links'> & { author: string; followers: number },
): Post {
  return {
    ...ids,
    platform,
    title: null,
    text,
    imageUrl: null,
    links,
    publishedAt: systemClock.now(),
    languageHint: 'en',
    engagement: null,
    replyTo: null,
    author: {
      id: author,
      name: author,
      handle: author,
      url: `https://posts.example/${author}`,
      avatarUrl: null,
      followers,
      automated: null,
    },
    review: null,
  }
}

export type Ingest = (
  tx: Transaction,
  matched: readonly MatchedPost[],
  options: IngestOptions,
) => Promise<readonly unknown[]>

export interface Stored {
  mentions: number
  seconds: number
  batchMs: number[]
  /** Processor time of this process, in seconds. */
  ownSeconds: number
}

/** Stores batches one after the other on each of some connections for a while. */
export async function storeFor(seconds: number, db: Database, ingest: Ingest, draws: readonly Draw[]): Promise<Stored> {
  const beganMs = systemClock.monotonicMs()
  const began = process.cpuUsage()
  const batchMs: number[] = []
  const knownWords = new SearchWords()
  let mentions = 0
  const connection = async (draw: Draw) => {
    while (systemClock.monotonicMs() - beganMs < seconds * SECOND_MS) {
      const batch = draw()
      const at = systemClock.now()
      const startMs = systemClock.monotonicMs()
      const made = await db.transaction((tx) =>
        ingest(tx, batch, { at, metered: true, leasedUntil: plus(at, 30 * SECOND_MS), knownWords }),
      )
      batchMs.push(systemClock.monotonicMs() - startMs)
      mentions += made.length
    }
  }
  await Promise.all(draws.map(connection))
  const { user, system } = process.cpuUsage(began)
  return { mentions, seconds: (systemClock.monotonicMs() - beganMs) / 1000, batchMs, ownSeconds: (user + system) / 1e6 }
}
