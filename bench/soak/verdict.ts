import type { Uuid } from '../../src/kernel/ids.ts'
import { sql } from '../../src/store/database.ts'
import { miscounted, unrecorded } from './books.ts'
import { type Finding, findingOf } from './finding.ts'
import { type Latency, latencies } from './latencies.ts'
import { judgeMoving } from './moving.ts'
import type { Plan } from './plan.ts'
import { judgeDeliveries } from './received.ts'
import { type Evidence, readMentions, readReceipts, readTimes, type StoredMention } from './records.ts'

export interface Verdict {
  posts: number
  matchedPosts: number
  expectedMentions: number
  /** Each with a few examples for whoever has to find out why. */
  lostMentions: Finding
  doubledMentions: Finding
  /** Mentions that nobody wanted. */
  strayMentions: Finding
  /** Mentions of moving terms that had to be there or must not, apart from the moments of change. */
  wronglyMoved: Finding
  /** Posts of moving terms that could be judged, and those that could not. */
  movingJudged: number
  movingOpen: number
  mentions: number
  /** Those of them that were filled in with what the public view knows of the author. */
  filledIn: number
  unscored: number
  failedScores: number
  /** Keywords whose counters or charges are another than their mentions say. */
  miscounted: Finding
  /** Deliveries that the log or the mention does not know as delivered. */
  unrecorded: Finding
  demandedDeliveries: number
  lostDeliveries: Finding
  /** Deliveries that no rule asked for. */
  strayDeliveries: Finding
  /** The same mention sent to the same hook under two delivery ids. */
  doubledDeliveries: Finding
  /** Requests that repeated an accepted one under the same delivery id. */
  repeatedRequests: number
  /** Those of them with no disturbance between them and the first one. */
  unexplainedRepeats: Finding
  undisturbed: Latency
  /** The slowest seconds of every disturbance: how long after its beginning the last late post was delivered. */
  catchUps: { what: string; outageMs: number; catchUpMs: number; slowestMs: number; lateMentions: number }[]
}

/**
 * Compares what is stored and what was received with what had to be, post by post.
 */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { plan, db } = evidence
  const timesMs = readTimes(evidence.timesPath)
  const mentions = await readMentions(evidence)
  const receipts = await readReceipts(evidence.receiptsPath)
  const expected = expectedKeys(plan, timesMs)
  const numbers = new Map(evidence.seeded.keywordIds.map((id, number) => [id, number]))
  const fixed = judgeFixed(mentions, expected.keys, numbers)
  const moving = judgeMoving(evidence, mentions, numbers, timesMs)
  const [scores] = await db.query<{ unscored: number; failed: number }>(
    sql`select (count(*) filter (where scored_at is null))::int as unscored, (count(*) filter (where failed))::int as
        failed from mention`,
  )
  return {
    posts: timesMs.length,
    matchedPosts: expected.posts,
    expectedMentions: expected.keys.size,
    ...fixed,
    ...moving,
    mentions: mentions.length,
    filledIn: mentions.filter(({ filledIn }) => filledIn).length,
    unscored: scores!.unscored,
    failedScores: scores!.failed,
    miscounted: await miscounted(db),
    unrecorded: await unrecorded(db),
    ...judgeDeliveries(evidence, mentions, receipts),
    ...latencies(evidence, mentions, receipts, timesMs),
  }
}

/** Numbers of keyword and post in one. */
const POSTS_MAX = 1e9
const keyOf = (keyword: number, post: number) => keyword * POSTS_MAX + post

/** What the keywords of a plan have to find among the posts that were published. */
export function expectedKeys(plan: Plan, timesMs: Float64Array): { keys: Set<number>; posts: number } {
  const keys = new Set<number>()
  let posts = 0
  timesMs.forEach((ms, post) => {
    if (ms === 0) return
    const keywords = plan.expected(post)
    if (keywords.length > 0) posts += 1
    for (const keyword of keywords) keys.add(keyOf(keyword, post))
  })
  return { keys, posts }
}

function judgeFixed(
  mentions: readonly StoredMention[],
  expected: ReadonlySet<number>,
  numbers: ReadonlyMap<Uuid, number>,
) {
  const found = new Set<number>()
  const doubled: string[] = []
  const stray: string[] = []
  for (const { keywordId, post } of mentions) {
    const keyword = numbers.get(keywordId)
    if (keyword === undefined) continue
    const key = keyOf(keyword, post)
    if (found.has(key)) doubled.push(`keyword ${keyword}, post ${post}`)
    if (!expected.has(key)) stray.push(`keyword ${keyword}, post ${post}`)
    found.add(key)
  }
  const lost = [...expected]
    .filter((key) => !found.has(key))
    .map((key) => `keyword ${Math.floor(key / POSTS_MAX)}, post ${key % POSTS_MAX}`)
  return { lostMentions: findingOf(lost), doubledMentions: findingOf(doubled), strayMentions: findingOf(stray) }
}
