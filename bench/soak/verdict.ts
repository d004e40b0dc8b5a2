import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { toId, type Uuid } from '../../src/kernel/ids.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { type Change, heldThrough } from './changes.ts'
import { numberOfPost, type Plan } from './plan.ts'
import { receiptFrom } from './receipt.ts'
import type { Seeded } from './seed.ts'

/** What a run has to be judged by. */
export interface Evidence {
  db: Database
  plan: Plan
  seeded: Seeded
  changes: readonly Change[]
  disturbances: readonly Disturbed[]
  /** The file of the receivers, and the one with the time of each post. */
  receiptsPath: string
  timesPath: string
}

/** Something that was done to the service, and when it was whole again. */
export interface Disturbed {
  what: string
  fromMs: number
  toMs: number
}

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

export interface Finding {
  count: number
  examples: string[]
}

export interface Latency {
  mentions: number
  visibleMs: { p50: number; p99: number }
  receivedMs: { p50: number; p99: number }
}

/** A change counts everywhere within a second of its answer; as much again for a busy machine. */
const LIVE_MS = 2000
/** How far behind its cursor the feed is read again after a reconnection. */
const REREAD_MS = 6000
/** What arrives later than this is late. */
const LATE_MS = 2000
/** Left out of the undisturbed time after a disturbance has been caught up with. */
const CALM_MS = 3000
const WARM_UP_MS = 5000

interface StoredMention {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  post: number
  relevance: number | null
  failed: boolean
  /** Whether its post says how its author is called, which only the public view knows. */
  filledIn: boolean
  visibleMs: number
}

/**
 * Compares what is stored and what was received with what had to be, post by post. A long file, because all its checks
 * read the same few records.
 */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { plan, db } = evidence
  const timesMs = readTimes(evidence.timesPath)
  const mentions = await readMentions(evidence)
  const receipts = await readReceipts(evidence.receiptsPath)
  const expected = expectedKeys(plan, timesMs)
  const numbers = new Map(evidence.seeded.keywordIds.map((id, number) => [id, number]))
  const fixed = judgeFixed(mentions, expected.keys, numbers)
  const lag = lagBySecond(mentions, numbers, timesMs)
  const moving = judgeMoving(evidence, mentions, numbers, timesMs, lag)
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

/** When each post was published, in milliseconds since 1970, by its number; nought for numbers that were left out. */
export function readTimes(path: string): Float64Array {
  const bytes = readFileSync(path)
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8).map((us) => us / 1000)
}

function expectedKeys(plan: Plan, timesMs: Float64Array): { keys: Set<number>; posts: number } {
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

/**
 * In portions by workspace, because all of them at once would be a large answer. The commit of the post made its
 * mentions visible.
 */
async function readMentions({ db, seeded }: Evidence): Promise<StoredMention[]> {
  const mentions: StoredMention[] = []
  for (const { id } of seeded.workspaces) {
    const rows = await db.query<{
      id: Uuid
      keyword_id: Uuid
      native_id: string
      relevance: number | null
      failed: boolean
      filled_in: boolean
      visible_ms: number
    }>(sql`
      select m.id, m.keyword_id, p.native_id, m.relevance, m.failed, p.author->>'handle' is not null as filled_in,
        (extract(epoch from pg_xact_commit_timestamp(p.xmin)) * 1000)::float8 as visible_ms
      from mention m join post p on p.id = m.post_id where m.workspace_id = ${id}`)
    for (const row of rows) {
      mentions.push({
        workspaceId: id,
        mentionId: row.id,
        keywordId: row.keyword_id,
        post: numberOfPost(row.native_id),
        relevance: row.relevance,
        failed: row.failed,
        filledIn: row.filled_in,
        visibleMs: row.visible_ms,
      })
    }
  }
  return mentions
}

/** For every delivery id: its hook, its mention, and when it was accepted. */
type Receipts = Map<string, { hook: number; mentionId: string; keywordId: string; post: number; atMs: number[] }>

async function readReceipts(path: string): Promise<Receipts> {
  const receipts: Receipts = new Map()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { deliveryId, atMs, ...receipt } = receiptFrom(line)
    const known = receipts.get(deliveryId)
    if (known) known.atMs.push(atMs)
    else receipts.set(deliveryId, { ...receipt, atMs: [atMs] })
  }
  return receipts
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

/** The longest way from post to mention among the posts of each second. */
function lagBySecond(
  mentions: readonly StoredMention[],
  numbers: ReadonlyMap<Uuid, number>,
  timesMs: Float64Array,
): Map<number, number> {
  const lag = new Map<number, number>()
  for (const { keywordId, post, visibleMs } of mentions) {
    if (!numbers.has(keywordId)) continue
    const second = Math.floor(timesMs[post]! / 1000)
    lag.set(second, Math.max(lag.get(second) ?? 0, visibleMs - timesMs[post]!))
  }
  return lag
}

function judgeMoving(
  { plan, changes, disturbances }: Evidence,
  mentions: readonly StoredMention[],
  numbers: ReadonlyMap<Uuid, number>,
  timesMs: Float64Array,
  lag: ReadonlyMap<number, number>,
) {
  const stored = new Map<number, Uuid[]>()
  for (const { keywordId, post } of mentions)
    if (!numbers.has(keywordId)) stored.set(post, [...(stored.get(post) ?? []), keywordId])
  const byTerm = new Map<number, Change[]>()
  for (const change of changes) byTerm.set(change.moving, [...(byTerm.get(change.moving) ?? []), change])
  const removed = removedIds(changes)
  const wrong: string[] = []
  let judged = 0
  let open = 0
  timesMs.forEach((ms, post) => {
    const moving = ms === 0 ? null : plan.movingTermIn(post)
    if (moving === null) return
    const held = heldThrough(byTerm.get(moving) ?? [], ms, lastReadMs(ms, lag, disturbances), LIVE_MS)
    if (held === undefined) {
      open += 1
      return
    }
    judged += 1
    const wanted = held === null || removed.has(held) ? [] : [held]
    // Another keyword of the term may have found the post when it was read again after its own removal; it is gone with
    // its mentions.
    const there = (stored.get(post) ?? []).map((id) => toId('kw', id))
    if (there.join() !== wanted.join())
      wrong.push(
        `term ${moving}, post ${post} at ${ms}: wanted ${wanted.join() || 'none'}, found ${there.join() || 'none'}`,
      )
  })
  const strangers = [...stored.keys()]
    .filter((post) => plan.movingTermIn(post) === null)
    .map((post) => `post ${post} holds no moving term`)
  return { wronglyMoved: findingOf([...wrong, ...strangers]), movingJudged: judged, movingOpen: open }
}

function removedIds(changes: readonly Change[]): Set<string> {
  const removed = new Set<string>()
  const present = new Map<number, string>()
  for (const { moving, to } of changes) {
    const before = present.get(moving)
    if (to) present.set(moving, to.id)
    else if (before) removed.add(before)
  }
  return removed
}

/**
 * Until when a post may have been matched, for the first time or again: shortly before a disturbance much is read
 * twice.
 */
function lastReadMs(ms: number, lag: ReadonlyMap<number, number>, disturbances: readonly Disturbed[]): number {
  const second = Math.floor(ms / 1000)
  const lagMs = Math.max(...[-1, 0, 1].map((by) => lag.get(second + by) ?? 0))
  let lastMs = ms + lagMs
  for (const { fromMs, toMs } of disturbances)
    if (ms > fromMs - REREAD_MS && ms < toMs) lastMs = Math.max(lastMs, toMs + LATE_MS)
  return lastMs + 500
}

/**
 * Keywords whose counters, and whose matches, scores and charges of the days, are not those of their mentions. A run
 * lies within one month. Removed ones keep their charges and have no mentions.
 */
async function miscounted(db: Database): Promise<Finding> {
  const rows = await db.query<{ keyword_id: Uuid; kept: string; found: string }>(sql`
    with found as (
        select workspace_id, keyword_id, count(*) as matched, count(scored_at) filter (where not failed) as scored,
          count(*) filter (where failed) as failed,
          count(*) filter (where relevance >= 40) as relevant
        from mention group by 1, 2),
      kept as (
        select workspace_id, keyword_id, sum(matched) as matched, sum(scored) as scored, sum(failed) as failed,
          sum(relevant) as relevant, sum(billable) as billable, sum(mention_units) as units
        from usage_day group by 1, 2)
    select k.id as keyword_id,
      concat_ws(' ', c.mentions, c.relevant, c.month_mentions, coalesce(kept.matched, 0), coalesce(kept.scored, 0),
        coalesce(kept.failed, 0), coalesce(kept.relevant, 0), coalesce(kept.billable, 0), coalesce(kept.units,
        0)) as kept,
      concat_ws(' ', coalesce(found.matched, 0), coalesce(found.relevant, 0), coalesce(found.matched, 0),
        coalesce(found.matched, 0), coalesce(found.scored, 0), coalesce(found.failed, 0), coalesce(found.relevant, 0),
        coalesce(found.scored, 0), coalesce(found.scored, 0) * 24) as found
    from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
      left join found on found.workspace_id = k.workspace_id and found.keyword_id = k.id
      left join kept on kept.workspace_id = k.workspace_id and kept.keyword_id = k.id`)
  const wrong = rows.filter(({ kept, found }) => kept !== found)
  return findingOf(wrong.map(({ keyword_id: id, kept, found }) => `keyword ${id}: counted ${kept}, there are ${found}`))
}

/** Deliveries of mentions that are there which the log, or the mention, does not call delivered. */
async function unrecorded(db: Database): Promise<Finding> {
  const rows = await db.query<{ id: Uuid; status: string; error: string | null; delivered: boolean }>(sql`
    select d.id, d.status, d.error, m.delivered from delivery d join mention m on m.workspace_id = d.workspace_id
      and m.id = d.mention_id
    where d.status <> 'delivered' or not m.delivered`)
  return findingOf(
    rows.map(
      ({ id, status, error, delivered }) =>
        `${toId('dlv', id)} is ${status} (${error}), its mention ${delivered ? 'delivered' : 'not delivered'}`,
    ),
  )
}

function judgeDeliveries(
  { seeded, changes, disturbances }: Evidence,
  mentions: readonly StoredMention[],
  receipts: Receipts,
) {
  const rules = new Map(seeded.workspaces.map(({ id, hooks }) => [id, hooks]))
  const demanded = new Set<string>()
  for (const { workspaceId, mentionId, relevance, failed } of mentions) {
    for (const { hook, minRelevance } of rules.get(workspaceId)!) {
      if (!failed && relevance !== null && relevance >= minRelevance) demanded.add(`${hook} ${toId('mtn', mentionId)}`)
    }
  }
  const removed = removedIds(changes)
  const received = new Set<string>()
  const doubled: string[] = []
  const stray: string[] = []
  const unexplained: string[] = []
  let repeatedRequests = 0
  for (const [deliveryId, { hook, mentionId, keywordId, atMs }] of receipts) {
    const key = `${hook} ${mentionId}`
    if (received.has(key)) doubled.push(`mention ${mentionId} to hook ${hook}, also as ${deliveryId}`)
    received.add(key)
    // What was removed had its deliveries until then.
    if (!demanded.has(key) && !removed.has(keywordId))
      stray.push(`mention ${mentionId} to hook ${hook} as ${deliveryId}`)
    repeatedRequests += atMs.length - 1
    // The first one was accepted, but what became of it was lost before it was written down.
    const explained = (at: number) =>
      disturbances.some(({ fromMs, toMs }) => fromMs <= atMs[at + 1]! && toMs >= atMs[at]!)
    if (!atMs.slice(1).every((_, at) => explained(at))) unexplained.push(`${deliveryId} at ${atMs.join(' ')}`)
  }
  const lost = [...demanded].filter((key) => !received.has(key))
  return {
    demandedDeliveries: demanded.size,
    lostDeliveries: findingOf(lost),
    strayDeliveries: findingOf(stray),
    doubledDeliveries: findingOf(doubled),
    repeatedRequests,
    unexplainedRepeats: findingOf(unexplained),
  }
}

function latencies(
  { disturbances, seeded }: Evidence,
  mentions: readonly StoredMention[],
  receipts: Receipts,
  timesMs: Float64Array,
) {
  const firstReceived = new Map<string, number>()
  for (const { mentionId, atMs } of receipts.values()) {
    firstReceived.set(mentionId, Math.min(firstReceived.get(mentionId) ?? Number.POSITIVE_INFINITY, ...atMs))
  }
  const began = timesMs.find((ms) => ms > 0) ?? 0
  const known = new Set(seeded.keywordIds)
  const ways = mentions.flatMap(({ keywordId, mentionId, post, visibleMs }) =>
    known.has(keywordId)
      ? [{ postedMs: timesMs[post]!, visibleMs, receivedMs: firstReceived.get(toId('mtn', mentionId)) ?? null }]
      : [],
  )
  const catchUps = disturbances.map(({ what, fromMs, toMs }, at) => {
    const nextMs = disturbances[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY
    const late = ways.filter(({ postedMs, visibleMs, receivedMs }) => {
      const arrivedMs = Math.max(visibleMs, receivedMs ?? 0)
      return (
        arrivedMs > fromMs && postedMs < nextMs && postedMs > fromMs - LATE_MS * 10 && arrivedMs - postedMs > LATE_MS
      )
    })
    const delays = late.map(({ postedMs, visibleMs, receivedMs }) => ({
      postedMs,
      arrivedMs: Math.max(visibleMs, receivedMs ?? 0),
    }))
    const untilMs = caughtUpAt(fromMs, delays)
    const own = delays.filter(({ postedMs }) => postedMs <= untilMs)
    const slowestMs = maximum(own.map(({ postedMs, arrivedMs }) => arrivedMs - postedMs))
    return { what, outageMs: toMs - fromMs, catchUpMs: untilMs - fromMs, slowestMs, lateMentions: own.length }
  })
  const disturbed = disturbances.map(({ fromMs }, at) => ({
    fromMs: fromMs - CALM_MS,
    toMs: fromMs + Math.max(catchUps[at]!.catchUpMs, CALM_MS) + CALM_MS,
  }))
  const calm = ways.filter(
    ({ postedMs }) =>
      postedMs > began + WARM_UP_MS && disturbed.every(({ fromMs, toMs }) => postedMs < fromMs || postedMs > toMs),
  )
  const received = calm.flatMap(({ postedMs, receivedMs }) => (receivedMs === null ? [] : [receivedMs - postedMs]))
  const undisturbed: Latency = {
    mentions: calm.length,
    visibleMs: quantilesOf(calm.map(({ postedMs, visibleMs }) => visibleMs - postedMs)),
    receivedMs: quantilesOf(received),
  }
  return { undisturbed, catchUps }
}

/**
 * So long without a late post means that the disturbance is over: what comes late after that has another reason, and
 * counts as undisturbed.
 */
const OVER_MS = 10_000

/**
 * When everything was in time again after a disturbance: the end of the late ways that follow from it or from each
 * other without a gap.
 */
export function caughtUpAt(fromMs: number, late: readonly { postedMs: number; arrivedMs: number }[]): number {
  let untilMs = fromMs
  for (const { postedMs, arrivedMs } of [...late].sort((a, b) => a.postedMs - b.postedMs)) {
    if (postedMs > untilMs + OVER_MS) break
    untilMs = Math.max(untilMs, arrivedMs)
  }
  return untilMs
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

export function quantilesOf(values: readonly number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function findingOf(wrong: readonly string[]): Finding {
  return { count: wrong.length, examples: wrong.slice(0, 5) }
}
