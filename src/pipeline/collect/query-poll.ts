// Longer than a screen, because the steps of one poll stand together in their order.

import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { LOOK_BACK, pageOfKey } from '../../domain/keyword/queries.ts'
import { lookBackLeft } from '../../domain/mention/admission.ts'
import { isFree } from '../../domain/mention/billing.ts'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { DAY_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { createListsTest } from '../../matching/index.ts'
import {
  type PageSource,
  QuotaReached,
  type Searching,
  type SearchSource,
  SourceFault,
  type StreamSource,
} from '../../sources/contract.ts'
import type { Transaction } from '../../store/database.ts'
import { readWatched } from '../../store/keyword/watched-keywords.ts'
import {
  type Claim,
  type ClaimRef,
  countLookedBack,
  readClaims,
  readKnownPairs,
  readOpenLookBacks,
  readPageClaims,
} from '../../store/source/query-claims.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import { type DueQuery, notePolled } from '../../store/source/source-queries.ts'
import { notePoll } from '../../store/source/source-state.ts'
import { matchedPost, rulesOf } from '../watch/watched-index.ts'
import type { CollectOptions } from './collect.ts'
import { baseMs, dueAfter } from './intervals.ts'

/** A source that is asked for single things; a feed is so only for what was there before. */
export type AskedSource = SearchSource | PageSource | (StreamSource & { searching: Searching })

/** Most posts that one poll reads of what is new, and for each term of what was there before. */
const MOST_POSTS = 1000
const MOST_LOOKED_BACK = 30
/**
 * Other platforms may use up what is left to look back between reading how much it is and storing; each of them once.
 */
const TRIES = 12
/**
 * A keyword that has not looked back on a platform for so long, because nobody could be asked, does so as if it were
 * new.
 */
const NEW_FOR_MS = DAY_MS

/** What came of a poll. */
export interface Outcome {
  /** How many mentions were made. */
  made: number
  /** Why the platform was not read to its end; what it had handed out by then is stored. */
  fault: SourceFault | null
  /** Whether the next turns of the queries are noted. */
  settled: boolean
}

/**
 * Asks one platform for a page, or for terms that it takes together, and stores what keywords want of the answer, with
 * the queries' next turns, in one go. Throws what kept it from handing out or storing anything.
 */
export async function pollQueries(
  source: AskedSource,
  queries: readonly DueQuery[],
  lease: SourceLease,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { db } = options
  const at = options.clock.now()
  const keys = queries.filter(({ lookBack }) => lookBack).map(({ key }) => key)
  const looking = keys.length === 0 ? [] : await readOpenLookBacks(db, source.platform, keys)
  const asked: Asked = { queries, looking, at, lookBackMs: lookBackDaysOf(source) * DAY_MS }
  const answer = await ask(source, asked, options, signal)
  if (answer.fault && answer.posts.length === 0) throw answer.fault
  // A keyword that was made a moment ago has to be looked for before its looking back is over.
  if (looking.length > 0) await options.watch.caughtUp()
  const wants = source.mode === 'page' ? await wantsOfPage(source, queries[0]!, options) : wantsOfTerms(source, options)
  const matched = answer.posts.flatMap((post) => wants.match(post) ?? [])
  options.metrics.postsMatched.inc({ platform: source.platform }, matched.length)
  let wanted = await admitted(source, matched, wants, asked, options)
  const filled = await filledIn(source, wanted, wants.match, options, signal)
  if (filled !== wanted.matched) wanted = await admitted(source, filled, wants, asked, options)
  for (let tries = 1; ; tries += 1) {
    try {
      const end = endOf(answer)
      const made = await store(source, wanted, { ...asked, end }, lease, options)
      return { made, fault: answer.fault, settled: end !== 'broken' }
    } catch (error) {
      if (!(error instanceof LookedBackElsewhere) || tries === TRIES) throw error
      wanted = await admitted(source, filled, wants, asked, options)
    }
  }
}

interface Asked {
  queries: readonly DueQuery[]
  /** The keywords that look back with this poll. */
  looking: readonly ClaimRef[]
  at: Date
  lookBackMs: number
}

function lookBackDaysOf(source: AskedSource): number {
  return source.mode === 'search' ? source.lookBackDays : LOOK_BACK.pageDays
}

/**
 * What a platform has handed out, each post once, newest first; why it ended before its time, and whether there was
 * more than was read.
 */
interface Answer {
  posts: Post[]
  fault: SourceFault | null
  cut: boolean
}

/**
 * What is new is read whole, and what was there before as far as it is wanted: where somebody new has joined a query,
 * one after the other.
 */
async function ask(source: AskedSource, asked: Asked, options: CollectOptions, signal: AbortSignal): Promise<Answer> {
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

/** Who may want posts, and how far each may reach back. */
interface Wants {
  match(post: Post): MatchedPost | null
  claims(matched: readonly MatchedPost[]): Promise<Claim[]>
}

/** Whatever a search brings, every keyword of the installation may want it. */
function wantsOfTerms({ platform }: SearchSource | StreamSource, { db, watch }: CollectOptions): Wants {
  return {
    match: watch.match,
    async claims(matched) {
      const keywords = new Map(
        matched.flatMap((one) => one.keywords.map((keyword) => [keyword.keywordId, keyword] as const)),
      )
      return keywords.size === 0 ? [] : await readClaims(db, platform, [...keywords.values()])
    },
  }
}

/**
 * The reviews of a page belong to the keywords that it is connected to, unless their rules exclude them; a review need
 * not hold the term.
 */
async function wantsOfPage({ platform }: PageSource, { key }: DueQuery, { db, watch }: CollectOptions): Promise<Wants> {
  const claims = await readPageClaims(db, platform, key)
  const keywords = await readWatched(
    db,
    claims.map(({ keywordId }) => keywordId),
  )
  const tests = keywords.map((keyword) => ({
    wanting: { workspaceId: keyword.workspaceId, keywordId: keyword.id },
    test: createListsTest({ ...rulesOf(keyword), requiredTerms: [], scopes: 1 << platformNumber(platform) }),
  }))
  return {
    match(post) {
      const text = searchedTextOf(post)
      const wanting: Wanting[] = []
      for (const one of tests) {
        const verdict = one.test(text)
        if (verdict === 'accepted') wanting.push(one.wanting)
        else watch.noteRejected(post, one.wanting, verdict)
      }
      return wanting.length === 0 ? null : watch.admitted(matchedPost(post, wanting))
    },
    claims: async () => claims,
  }
}

/**
 * What is new is filled in, and judged again with that, because a rule may name its author. What is there already is
 * not paid for twice.
 */
async function filledIn(
  source: AskedSource,
  { matched, known }: Admitted,
  match: Wants['match'],
  { enrich }: CollectOptions,
  signal: AbortSignal,
): Promise<readonly MatchedPost[]> {
  const isNew = (one: MatchedPost) => one.keywords.some((keyword) => !known.has(pairOf(keyword, one)))
  const before = matched.filter(isNew).map(({ post }) => post)
  const after = await enrich(source, before, signal)
  if (after === before) return matched
  return [...matched.filter((one) => !isNew(one)), ...after.flatMap((post) => match(post) ?? [])]
}

interface Admitted {
  matched: readonly MatchedPost[]
  claims: ReadonlyMap<Uuid, Claim>
  /** Which pairs of keyword and post are mentions already. */
  known: ReadonlySet<string>
}

function pairOf({ keywordId }: Wanting, { post }: MatchedPost): string {
  return `${keywordId} ${postId(post.platform, post.nativeId)}`
}

async function admitted(
  source: AskedSource,
  matched: readonly MatchedPost[],
  wants: Wants,
  asked: Asked,
  { db }: CollectOptions,
): Promise<Admitted> {
  const claims = new Map((await wants.claims(matched)).map((claim) => [claim.keywordId, claim]))
  const pairs = matched.flatMap(({ post, keywords }) =>
    keywords.map((keyword) => ({ ...keyword, postId: postId(post.platform, post.nativeId) })),
  )
  const known = pairs.length === 0 ? new Set<string>() : await readKnownPairs(db, pairs)
  return { matched: admit(source, matched, { claims, known }, asked), claims, known }
}

/**
 * Leaves out what is from before a keyword collected: unless the keyword looks back for the first time, and has not had
 * its share of that. The newest come first. What is a mention already stays, because it may have been edited.
 */
function admit(
  source: AskedSource,
  matched: readonly MatchedPost[],
  { claims, known }: Omit<Admitted, 'matched'>,
  { looking, at, lookBackMs }: Asked,
): MatchedPost[] {
  const served = new Set(looking.map(({ keywordId, key }) => `${keywordId} ${key}`))
  const earliest = plus(at, -lookBackMs)
  const taken = new Map<Uuid, number>()
  const admits = (one: MatchedPost, { keywordId }: Wanting): Wanting[] => {
    const claim = claims.get(keywordId)
    if (claim === undefined) return []
    const wanting = { workspaceId: claim.workspaceId, keywordId }
    const { publishedAt } = one.post
    if (known.has(pairOf(wanting, one)) || publishedAt >= beginOf(claim, at)) return [wanting]
    if (!served.has(`${keywordId} ${claim.key}`) || publishedAt < earliest) return []
    if (source.mode === 'page') return [{ ...wanting, free: isFree({ mode: source.mode, lookedBack: true }) }]
    const count = taken.get(keywordId) ?? 0
    if (count >= lookBackLeft(claim)) return []
    taken.set(keywordId, count + 1)
    return [wanting]
  }
  return matched
    .map((one) => ({ ...one, keywords: one.keywords.flatMap((keyword) => admits(one, keyword)) }))
    .filter(({ keywords }) => keywords.length > 0)
}

/**
 * From when on a post is news to a keyword. One whose platform could not be asked for long looks back from now, not
 * from its making.
 */
function beginOf({ since, lookBack }: Claim, at: Date): Date {
  const newest = plus(at, -NEW_FOR_MS)
  return lookBack && since < newest ? newest : wholeSecond(since)
}

/**
 * Many platforms tell the time in whole seconds, so a post may seem older by a second than the keyword that it follows.
 */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS)
}

/** More was looked back for meanwhile than a keyword may. */
class LookedBackElsewhere extends Error {}

/**
 * How a poll ends. `over`: the platform was read. `cut`: there was more than is read at once, and terms that were asked
 * together are asked again one by one. `broken`: it was not read to its end.
 */
type End = 'over' | 'cut' | 'broken'

/** Where the quota ran out in the middle, asking again would take the same again: what was not reached is given up. */
function endOf({ fault, cut }: Answer): End {
  if (fault) return fault instanceof QuotaReached ? 'over' : 'broken'
  return cut ? 'cut' : 'over'
}

async function store(
  source: AskedSource,
  { matched, claims }: Admitted,
  { queries, looking, at, end }: Asked & { end: End },
  lease: SourceLease,
  options: CollectOptions,
): Promise<number> {
  const { platform } = source
  const found = new Set<string>()
  const newestAt = matched.reduce<Date | null>(
    (newest, { post }) => (newest && newest > post.publishedAt ? newest : post.publishedAt),
    null,
  )
  const again = end === 'cut' && queries.length > 1
  if (end === 'cut' && !again)
    options.log.warn(
      { platform, term: queries[0]!.term },
      'there were more posts than one poll reads; the oldest were passed over',
    )
  return await options.store.storePoll(platform, lease, matched, async (tx, made, last) => {
    for (const { keywordId } of made) found.add(claims.get(keywordId)!.key)
    if (source.mode !== 'page') await countOlder(tx, source, made, claims, at)
    if (!last || end === 'broken') return
    const polled = queries.map((query) => {
      const news = found.has(query.key)
      const turnAt = source.mode === 'stream' ? null : plus(at, baseMs(source))
      return {
        key: query.key,
        readUntil: again ? null : at,
        found: news,
        dueAt: nextTurn(source, query, news, at),
        turnAt,
      }
    })
    await notePolled(tx, platform, { polled, lookedBack: again ? [] : looking, at })
    if (source.mode !== 'stream') await notePoll(tx, platform, found.size, at, newestAt)
  })
}

/**
 * A feed was asked for what was there before, which is not asked for twice. A page is asked once a day, whatever it
 * brings.
 */
function nextTurn(source: AskedSource, { emptyPolls }: DueQuery, found: boolean, at: Date): Date | null {
  if (source.mode === 'stream') return null
  return dueAfter(at, baseMs(source), found || source.mode === 'page' ? 0 : emptyPolls + 1, Math.random())
}

/**
 * Counts what looking back has made. The counters of the keywords are locked by now: what others counted before is
 * seen, and nobody counts meanwhile.
 */
async function countOlder(
  tx: Transaction,
  { platform }: AskedSource,
  made: readonly NewMention[],
  claims: ReadonlyMap<Uuid, Claim>,
  at: Date,
): Promise<void> {
  const older = made.filter(({ keywordId, post }) => post.publishedAt < beginOf(claims.get(keywordId)!, at))
  if (older.length === 0) return
  const byKeyword = groupBy(older, ({ keywordId }) => keywordId)
  const current = await readClaims(
    tx,
    platform,
    [...byKeyword.keys()].map((keywordId) => claims.get(keywordId)!),
  )
  if (current.some((claim) => byKeyword.get(claim.keywordId)!.length > lookBackLeft(claim)))
    throw new LookedBackElsewhere('the look-back of a keyword is used up')
  const counts = current.map(({ workspaceId, keywordId, key }) => ({
    workspaceId,
    keywordId,
    key,
    made: byKeyword.get(keywordId)!.length,
  }))
  await countLookedBack(tx, platform, counts)
}
