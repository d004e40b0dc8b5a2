import { setImmediate as breathe } from 'node:timers/promises'
import { capOf } from '../../domain/keyword/keyword.ts'
import { type RunningState, stepRunning } from '../../domain/keyword/lifecycle.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import { newUuid, timeOfUuid, type Uuid, uuidFromName } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { keyColumns, lockCountersOfPosts, type RemovedMention, uncountMentions } from '../counts/keyword-counts.ts'
import { countMatches } from '../counts/match-counts.ts'
import { removeRejections } from '../counts/rejections.ts'
import { sql, type Transaction, violatesAnyUnique } from '../database.ts'
import { cancelDeliveries } from '../delivery/deliveries.ts'
import { type KnownWords, keepWords } from '../filter/search-words.ts'
import { announceKeywords } from '../keyword/keywords.ts'
import { recordRunningEvent } from '../keyword/running-events.ts'
import {
  UNSCORED_COMPANY,
  UNSCORED_KEYWORD_COLUMNS,
  type Unscored,
  type UnscoredKeywordRow,
  unscoredKeyword,
} from '../model/unscored.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/people.ts'
import { resumeQueries } from '../source/source-queries.ts'
import { holdIngest } from './ingests-in-hand.ts'
import { facetColumns, type Pause, PIECE, writeFacets } from './mention-facets.ts'

/** A post and the keywords whose rules admitted it. */
export interface MatchedPost {
  post: Post
  /**
   * The words of title, text and author under which the post can be found, in the form of searches, without repeats.
   */
  words: readonly string[]
  /** Every normal form of the author. */
  authorKeys: readonly string[]
  keywords: readonly Wanting[]
}

/** A keyword that wants a post. */
export interface Wanting {
  workspaceId: Uuid
  keywordId: Uuid
  /** True when the mention is never charged. */
  free?: boolean
}

/** A mention that was really made, with all that its scorer asks of it. */
export type NewMention = Unscored

export interface IngestOptions {
  at: Date
  /** The time as it goes on, from which mentions get their ids; `at` unless told otherwise. */
  now?: () => Date
  /** When welcome limits count: false on an unmetered installation. */
  metered: boolean
  /** Until then nobody else scores the new mentions. */
  leasedUntil: Date
  /** The words that this process knows to be kept; without them the database is asked for each. */
  knownWords?: KnownWords
}

/** The one id of a post, whoever collected it and however often. */
export function postId(platform: Post['platform'], nativeId: string): Uuid {
  return uuidFromName('post', platform, nativeId)
}

/**
 * Stores matched posts, a mention for each keyword, their place in the queue for scores, and the counters, in the
 * caller's transaction. The same post again makes nothing new; when it was edited, its newer text is stored and the
 * mentions of these keywords are found by it. A keyword that has meanwhile gone or been muted, or whose monthly limit
 * is reached, gets no mention.
 *
 * Whoever changes a keyword holds its counter, and batches share popular keywords, so the counters are locked as late
 * as can be: posts and mentions are made on what was read without a lock, then the counters are locked in one order,
 * and what was read must still hold. When it does not, all is undone and done again with the counters locked before
 * anything else. Either way every limit is exact.
 */
export async function ingest(
  tx: Transaction,
  matched: readonly MatchedPost[],
  options: IngestOptions,
): Promise<NewMention[]> {
  const candidates = candidatesOf(matched)
  if (candidates.length === 0) return []
  // Held before the savepoint, so that it outlives going back to it.
  const [, , made] = await Promise.all([
    holdIngest(tx, options.at),
    tx.run('ingest-savepoint', 'savepoint ingest', []),
    attemptUnlocked(tx, candidates, options),
  ])
  // The savepoint is not given up by itself: the commit does that, without a question of its own.
  if (made) return made
  await tx.run('ingest-undo', 'rollback to savepoint ingest', [])
  await lockCounters(tx, keywordsOf(candidates))
  const certain = await attempt(tx, candidates, options, LOCKED)
  if (!certain) throw new Error('a keyword changed although its counter was locked')
  return certain
}

/**
 * What was not there when it was looked for is inserted without asking again, which takes a fifteenth of the server's
 * time: that somebody else has made it meanwhile is rare, and shows as a violated key.
 */
async function attemptUnlocked(
  tx: Transaction,
  candidates: readonly Candidate[],
  options: IngestOptions,
): Promise<NewMention[] | null> {
  try {
    return await attempt(tx, candidates, options, UNLOCKED)
  } catch (error) {
    if (violatesAnyUnique(error)) return null
    throw error
  }
}

interface Candidate extends MatchedPost {
  workspaceId: Uuid
  keywordId: Uuid
  free: boolean
  postId: Uuid
}

interface Admitted extends Candidate {
  mentionId: Uuid
  /** The author as the workspace sees it; of an edited post the one whom its mention was made for. */
  accountId: Uuid | null
}

/** Each pair of a post and a keyword that it matched. */
function candidatesOf(matched: readonly MatchedPost[]): Candidate[] {
  return matched.flatMap((one) => {
    const id = postId(one.post.platform, one.post.nativeId)
    return one.keywords.map(({ workspaceId, keywordId, free = false }) => ({
      post: one.post,
      words: one.words,
      authorKeys: one.authorKeys,
      keywords: one.keywords,
      workspaceId,
      keywordId,
      free,
      postId: id,
    }))
  })
}

/** Answers null, with nothing in order, when a keyword was changed by somebody else meanwhile. */
async function attempt(
  tx: Transaction,
  candidates: readonly Candidate[],
  options: IngestOptions,
  { storing, pause }: Attempt,
): Promise<NewMention[] | null> {
  const keywords = keywordsOf(candidates)
  const [counters, { posts: knownPosts, mentions: existing }] = await Promise.all([
    readCounters(tx, keywords),
    readExisting(tx, candidates),
  ])
  const known = new Map<string, Admitted>()
  const admitted: Admitted[] = []
  // Read when others can see that these mentions are on their way: who reads on from the oldest waits for them.
  const madeAt = options.now?.() ?? options.at
  for (const candidate of candidates) {
    const pair = pairOf(candidate.keywordId, candidate.postId)
    const counter = counters.get(candidate.keywordId)
    const present = existing.get(pair)
    if (present) known.set(pair, { ...candidate, ...present })
    if (!counter || known.has(pair) || !countMatch(counter, options)) continue
    const accountId = accountIdOf(candidate.workspaceId, candidate.post.platform, candidate.post.author)
    const made = { ...candidate, mentionId: newUuid(madeAt), accountId }
    known.set(pair, made)
    admitted.push(made)
  }
  const posts = postsOf(known.values())
  const isKnown = ([id]: StoredPost) => knownPosts.has(id)
  const moved = keywords.flatMap(({ keywordId }) => {
    const counter = counters.get(keywordId)
    return counter && counter.added > 0 ? [counter] : []
  })
  const fresh = posts.filter((one) => !isKnown(one))
  const postColumns = columnsOfPosts(fresh, options.at)
  if (fresh.length >= PIECE) await pause()
  const mentionColumns = await columnsOfMentions(admitted, options, pause)
  // Sent one behind the other: nobody waits for a counter while this process is busy with something else.
  const [, changed, , , counted] = await Promise.all([
    fresh.length === 0 ? [] : tx.run(storing.name, storing.text, postColumns),
    changePosts(tx, posts.filter(isKnown), options.at),
    admitted.length === 0 ? [] : tx.run(INSERT_MENTIONS.name, INSERT_MENTIONS.text, mentionColumns),
    keepWords(tx, admitted, options.knownWords ?? null),
    storeCounts(tx, moved, admitted, options),
  ])
  if (!counted) return null
  const edited = [...known.values()].filter(
    (one) => changed.has(one.postId) && existing.has(pairOf(one.keywordId, one.postId)),
  )
  for (const counter of moved) await followCap(tx, counter, options)
  await keepWords(tx, edited, null)
  await writeFacets(tx, edited, options.at)
  return admitted.map((one) => unscoredOf(one, counters.get(one.keywordId)!))
}

const onward: Pause = () => Promise.resolve()

function unscoredOf({ workspaceId, mentionId, keywordId, free, post }: Admitted, counter: Counter): NewMention {
  return {
    workspaceId,
    mentionId,
    keywordId,
    ...unscoredKeyword(counter),
    post,
    free,
    status: 'open',
    createdAt: timeOfUuid(mentionId),
  }
}

/** The counter of a keyword with what decides over its mentions, and what this batch does to it. */
interface Counter extends UnscoredKeywordRow {
  workspace_id: Uuid
  keyword_id: Uuid
  month: string
  month_mentions: number
  cap_own: number | null
  welcome_limits: boolean
  muted: boolean
  paused_for_cap: boolean
  added: number
  /** The matches of this month with those of this batch, once they are counted. */
  monthAfter: number
}

/** Each keyword of the candidates once, in the order in which counters are locked. */
function keywordsOf(candidates: readonly Candidate[]): { workspaceId: Uuid; keywordId: Uuid }[] {
  return [...new Map(candidates.map((one) => [one.keywordId, one])).values()].sort(
    (a, b) => compare(a.workspaceId, b.workspaceId) || compare(a.keywordId, b.keywordId),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

async function lockCounters(
  tx: Transaction,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<void> {
  await tx.run(
    'ingest-lock-counters',
    `select from (select workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
        order by 1, 2 offset 0) t
     cross join lateral (select from keyword_counter c where c.workspace_id = t.workspace_id
       and c.keyword_id = t.keyword_id offset 0 for no key update) c`,
    keyColumns(keywords),
  )
}

/** Each row is looked up by its key: `offset 0` keeps the planner from reading whole tables for a few hundred rows. */
async function readCounters(
  tx: Transaction,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<Map<Uuid, Counter>> {
  const rows = await tx.run<Omit<Counter, 'added'>>(
    'ingest-read-counters',
    `select t.workspace_id, t.keyword_id, c.month, c.month_mentions, k.cap_own, w.welcome_limits, k.muted,
        k.paused_for_cap, ${UNSCORED_KEYWORD_COLUMNS}
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
     cross join lateral (select * from keyword_counter c where c.workspace_id = t.workspace_id
       and c.keyword_id = t.keyword_id offset 0) c
     cross join lateral (select * from keyword k where k.workspace_id = t.workspace_id
       and k.id = t.keyword_id offset 0) k
     cross join lateral (select * from keyword_group g where g.workspace_id = k.workspace_id
       and g.id = k.group_id offset 0) g
     cross join lateral (select * from workspace w where w.id = t.workspace_id offset 0) w
     ${UNSCORED_COMPANY}`,
    keyColumns(keywords),
  )
  return new Map(rows.map((row) => [row.keyword_id, { ...row, added: 0, monthAfter: 0 }]))
}

function pairOf(keywordId: Uuid, post: Uuid): string {
  return `${keywordId} ${post}`
}

/** What a batch brings that is there already. */
interface Existing {
  posts: ReadonlySet<Uuid>
  /** By pair of keyword and post. */
  mentions: ReadonlyMap<string, Pick<Admitted, 'mentionId' | 'accountId'>>
}

/** Most posts are new, and a new post has no mentions. */
async function readExisting(tx: Transaction, candidates: readonly Candidate[]): Promise<Existing> {
  const rows = await tx.run<{ id: Uuid | null; account_id: Uuid | null; keyword_id: Uuid; post_id: Uuid }>(
    'ingest-existing',
    `select m.id, m.account_id, t.keyword_id, t.post_id
        from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id, post_id)
     cross join lateral (select p.id from post p where p.id = t.post_id offset 0) p
     left join lateral (select m.id, m.account_id from mention m where m.workspace_id = t.workspace_id
       and m.keyword_id = t.keyword_id and m.post_id = p.id offset 0) m on true`,
    [...keyColumns(candidates), columns.uuids(candidates.map((one) => one.postId))],
  )
  const mentions = new Map<string, Pick<Admitted, 'mentionId' | 'accountId'>>()
  for (const row of rows)
    if (row.id !== null)
      mentions.set(pairOf(row.keyword_id, row.post_id), { mentionId: row.id, accountId: row.account_id })
  return { posts: new Set(rows.map((row) => row.post_id)), mentions }
}

/** Counts one more match of this month, unless the keyword is muted or its limit is reached. */
function countMatch(counter: Counter, { at, metered }: IngestOptions): boolean {
  if (counter.muted) return false
  const cap = capInForce(counter, metered)
  if (cap !== null && monthCountOf(counter, at) + counter.added >= cap) return false
  counter.added += 1
  return true
}

function capInForce(counter: Counter, metered: boolean): number | null {
  return capOf(counter.cap_own, metered && counter.welcome_limits)?.mentions ?? null
}

type StoredPost = readonly [id: Uuid, post: Post]

/** Each post once, in the order in which posts are locked. */
function postsOf(mentions: Iterable<Candidate>): StoredPost[] {
  const posts = new Map<Uuid, Post>()
  for (const { postId, post } of mentions) posts.set(postId, post)
  return [...posts].sort(([a], [b]) => compare(a, b))
}

interface StoringPosts {
  name: string
  text: string
}

/** Of posts that are not there. */
const INSERT_POSTS: StoringPosts = {
  name: 'ingest-new-posts',
  text: `insert into post (id, platform, native_id, url, title, body, image_url, links, published_at, language_hint,
      author_id, author, engagement, reply_to, review, collected_at)
     select id, platform, native_id, url, title, body, image_url, links::text[], published_at, language_hint, author_id,
       author, engagement, reply_to, review, $16
     from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::timestamptz[], $10::text[], $11::text[], $12::jsonb[],
       $13::jsonb[], $14::jsonb[], $15::jsonb[]) as t (id, platform, native_id, url, title, body, image_url, links,
         published_at, language_hint, author_id, author, engagement, reply_to, review)`,
}

/** An edited post comes again under its id: the newer text is kept, and of a review the newer stars and answer. */
const INSERT_OR_UPDATE_POSTS: StoringPosts = {
  name: 'ingest-posts',
  text: `${INSERT_POSTS.text}
     on conflict (id) do update set title = excluded.title, body = excluded.body, links = excluded.links,
       image_url = excluded.image_url, review = excluded.review
       where (post.title, post.body, post.review) is distinct from (excluded.title, excluded.body, excluded.review)
     returning id`,
}

/** How a batch is stored before its counters are locked, and how with them. */
interface Attempt {
  /** What stores posts that were not there when they were looked for. */
  storing: StoringPosts
  pause: Pause
}

const UNLOCKED: Attempt = { storing: INSERT_POSTS, pause: breathe }
const LOCKED: Attempt = { storing: INSERT_OR_UPDATE_POSTS, pause: onward }

function columnsOfPosts(rows: readonly StoredPost[], at: Date): unknown[] {
  const posts = rows.map(([, post]) => post)
  const texts = (value: (post: Post) => string | null) => columns.texts(posts.map(value))
  const jsons = (value: (post: Post) => unknown) => columns.jsons(posts.map(value))
  return [
    columns.uuids(rows.map(([id]) => id)),
    columns.smallints(posts.map((post) => platformNumber(post.platform))),
    texts((post) => post.nativeId),
    texts((post) => post.url),
    texts((post) => post.title),
    texts((post) => post.text),
    texts((post) => post.imageUrl),
    texts((post) => arrayLiteral(post.links)),
    columns.instants(posts.map((post) => post.publishedAt)),
    texts((post) => post.languageHint),
    texts((post) => post.author?.id ?? null),
    jsons((post) => post.author),
    jsons((post) => post.engagement),
    jsons((post) => post.replyTo),
    jsons((post) => post.review),
    at,
  ]
}

/** Stores the newer texts of posts that are there; answers those whose text was another. */
async function changePosts(tx: Transaction, rows: readonly StoredPost[], at: Date): Promise<Set<Uuid>> {
  if (rows.length === 0) return new Set()
  const changed = await tx.run<{ id: Uuid }>(
    INSERT_OR_UPDATE_POSTS.name,
    INSERT_OR_UPDATE_POSTS.text,
    columnsOfPosts(rows, at),
  )
  return new Set(changed.map((row) => row.id))
}

/** A list of texts as one text, for rows whose lists differ in length. */
function arrayLiteral(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

const INSERT_MENTIONS = {
  name: 'ingest-mentions',
  text: `with queued as (
       insert into score_queue (workspace_id, mention_id, leased_until) select workspace_id, id, $20
         from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id))
     insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating,
       followers, likes, reposts, replies, quotes, views, bookmarks, facets, free, account_id, common_words)
     select workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers,
       likes, reposts, replies, quotes, views, bookmarks, ($19::bigint[])[begins:ends], free, account_id, common_words
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::smallint[],
       $8::boolean[], $9::smallint[], $10::int[], $11::int[], $12::int[],
       $13::int[], $14::int[], $15::int[], $16::int[], $17::int[], $18::int[], $21::boolean[], $22::uuid[], $23::int[])
       as t (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers,
         likes, reposts, replies, quotes, views, bookmarks, begins, ends, free, account_id, common_words)`,
}

async function columnsOfMentions(
  admitted: readonly Admitted[],
  { leasedUntil }: IngestOptions,
  pause: Pause,
): Promise<unknown[]> {
  // A partition after the other, and each in the order of its indexes.
  const rows = [...admitted].sort((a, b) => compare(a.workspaceId, b.workspaceId))
  const facets = await facetColumns(rows, pause)
  const counts = (value: (post: Post) => number | null | undefined) =>
    columns.integers(rows.map(({ post }) => storedCount(value(post))))
  return [
    columns.uuids(rows.map((one) => one.workspaceId)),
    columns.uuids(rows.map((one) => one.mentionId)),
    columns.uuids(rows.map((one) => one.keywordId)),
    columns.uuids(rows.map((one) => one.postId)),
    // The time of the id, not the batch's: two batches at once may take ids in another order than they read the clock,
    // and lists are walked by id.
    columns.instants(rows.map((one) => timeOfUuid(one.mentionId))),
    columns.instants(rows.map((one) => one.post.publishedAt)),
    columns.smallints(rows.map((one) => platformNumber(one.post.platform))),
    columns.booleans(rows.map((one) => one.post.replyTo !== null)),
    columns.smallints(rows.map((one) => one.post.review?.rating ?? null)),
    counts((post) => post.author?.followers),
    counts((post) => post.engagement?.likes),
    counts((post) => post.engagement?.reposts),
    counts((post) => post.engagement?.replies),
    counts((post) => post.engagement?.quotes),
    counts((post) => post.engagement?.views),
    counts((post) => post.engagement?.bookmarks),
    facets.begins,
    facets.ends,
    facets.all,
    leasedUntil,
    columns.booleans(rows.map((one) => one.free)),
    columns.uuids(rows.map((one) => one.accountId)),
    facets.common,
  ]
}

const COUNT_MAX = 2 ** 31 - 1

/** A count as lists filter by it: beyond what the column holds all are alike. The post keeps the exact one. */
function storedCount(count: number | null | undefined): number | null {
  return count === null || count === undefined ? null : Math.max(-COUNT_MAX, Math.min(COUNT_MAX, count))
}

/**
 * Moves every count. Answers false when what decided over the mentions is not as it was read: then this batch must not
 * have happened.
 */
async function storeCounts(
  tx: Transaction,
  moved: readonly Counter[],
  admitted: readonly Admitted[],
  options: IngestOptions,
): Promise<boolean> {
  if (moved.length === 0) return true
  const keywords = moved.map((one) => ({
    workspaceId: one.workspace_id,
    keywordId: one.keyword_id,
    added: one.added,
    month: one.month,
    capOwn: one.cap_own,
    cap: capInForce(one, options.metered),
    welcomeLimits: one.welcome_limits,
    pausedForCap: one.paused_for_cap,
  }))
  const matches = admitted.map(({ keywordId, post }) => ({
    keywordId,
    platform: post.platform,
    publishedAt: post.publishedAt,
  }))
  const counts = await countMatches(tx, { keywords, matches }, options)
  if (counts === null) return false
  for (const [at, one] of moved.entries()) one.monthAfter = counts[at]!
  return true
}

/**
 * A keyword whose last admitted match filled its month stops collecting and says so; one that had stopped in an earlier
 * month is found to collect again. The daily look at the month does the same for keywords without a match.
 */
async function followCap(tx: Transaction, counter: Counter, { at, metered }: IngestOptions): Promise<void> {
  const cap = capInForce(counter, metered)
  const monthCount = counter.monthAfter
  const turned = counter.paused_for_cap && counter.month < dayOf(monthStart(at))
  const first = turned
    ? stepRunning(counterState(counter), { kind: 'month_turned', cap, monthCount: 0 })
    : { state: counterState(counter), event: null }
  const second =
    cap !== null && monthCount >= cap
      ? stepRunning(first.state, { kind: 'cap_reached' })
      : { state: first.state, event: null }
  const events = [first.event, second.event].filter((event) => event !== null)
  if (events.length === 0) return
  await tx.query(
    sql`update keyword set paused_for_cap = ${second.state.pausedForCap} where workspace_id = ${counter.workspace_id}
        and id = ${counter.keyword_id}`,
  )
  if (first.event && !second.state.pausedForCap) await resumeQueries(tx, counter.workspace_id, [counter.keyword_id], at)
  await announceKeywords(tx, counter.workspace_id, [counter.keyword_id])
  const keyword = { workspaceId: counter.workspace_id, id: counter.keyword_id, term: counter.term, kind: counter.kind }
  for (const event of events) await recordRunningEvent(tx, { keyword, event, cap, monthCount, at })
}

function counterState({ muted, paused_for_cap }: Counter): RunningState {
  return { muted, pausedForBalance: false, pausedForNoise: false, pausedForCap: paused_for_cap }
}

/**
 * A counter that another machine has moved to the next month already stays there, or the matches of that month were
 * lost.
 */
function monthCountOf({ month, month_mentions }: Counter, at: Date): number {
  return month >= dayOf(monthStart(at)) ? month_mentions : 0
}

/** Removes posts that their platform no longer has, with every mention of them; what waits to be sent is cancelled. */
export async function removePosts(tx: Transaction, ids: readonly Uuid[], at: Date): Promise<number> {
  if (ids.length === 0) return 0
  const present = await tx.run<{ id: Uuid }>(
    'remove-posts-present',
    'select id from post where id = any($1::uuid[]) order by id for update',
    [ids],
  )
  if (present.length === 0) {
    await removeRejections(tx, ids)
    return 0
  }
  const values = [present.map((row) => row.id)]
  await lockCountersOfPosts(tx, values[0]!)
  await cancelDeliveries(
    tx,
    sql`(d.workspace_id, d.mention_id) in (select m.workspace_id, m.id from mention m
        where m.post_id = any(${values[0]}::uuid[]))`,
    'the post was removed',
  )
  // Mentions before their places in the queue, as scoring does, so that the two never wait for each other in a ring.
  const gone = await tx.run<RemovedMention>(
    'remove-posts-mentions',
    `with gone as (delete from mention m where m.post_id = any($1::uuid[])
        returning ${COUNTED_COLUMNS}, m.created_at, m.feedback_relevant, m.failed, m.counted_on),
     noted as (${notingMentions('gone', 'go')}),
     unqueued as (delete from score_queue q using gone where q.workspace_id = gone.workspace_id
       and q.mention_id = gone.id)
     select workspace_id, keyword_id, platform, created_at, published_at, relevance, feedback_relevant,
       case when not failed then coalesce(counted_on, (scored_at at time zone 'UTC')::date)::text end as scored_on
     from gone`,
    values,
  )
  await uncountMentions(tx, gone, at)
  await tx.run('remove-posts', 'delete from post where id = any($1::uuid[])', values)
  // After the mentions, as the removal of a keyword does.
  await removeRejections(tx, ids)
  return present.length
}

/**
 * The stored posts of people who are no longer on a platform, those included of which only a sample of rejected ones is
 * kept.
 */
export async function postsOfAuthors(
  tx: Transaction,
  platform: Post['platform'],
  authorIds: readonly string[],
): Promise<Uuid[]> {
  if (authorIds.length === 0) return []
  const rows = await tx.run<{ id: Uuid }>(
    'posts-of-authors',
    `select id from post where platform = $1 and author_id = any($2::text[])
     union select post_id from rejected_post where platform = $1 and author_id = any($2::text[])`,
    [platformNumber(platform), authorIds],
  )
  return rows.map((row) => row.id)
}
