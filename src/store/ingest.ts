import { linkHostsOf } from '../domain/filter/fields.ts'
import { capOf, type KeywordKind } from '../domain/keyword/keyword.ts'
import { type RunningState, stepRunning } from '../domain/keyword/lifecycle.ts'
import { platformNumber } from '../domain/post/platform.ts'
import type { Post } from '../domain/post/post.ts'
import { dayOf, monthStart } from '../kernel/clock.ts'
import { newUuid, timeOfUuid, type Uuid, uuidFromName } from '../kernel/ids.ts'
import { sql, type Transaction } from './database.ts'
import { cancelDeliveries } from './deliveries.ts'
import { facetHash } from './facets.ts'
import { announceKeywords } from './keywords.ts'
import { recordRunningEvent } from './running-events.ts'

/** A post and the keywords whose rules admitted it. */
export interface MatchedPost {
  post: Post
  /** The words of title, text and author under which the post can be found, folded, without repeats. */
  words: readonly string[]
  /** Every normal form of the author. */
  authorKeys: readonly string[]
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[]
}

/** A mention that was really made, and waits for its score. */
export interface NewMention {
  workspaceId: Uuid
  mentionId: Uuid
}

export interface IngestOptions {
  at: Date
  /** When welcome limits count: false on an unmetered installation. */
  metered: boolean
  /** Until then nobody else scores the new mentions. */
  leasedUntil: Date
}

/** The one id of a post, whoever collected it and however often. */
export function postId(platform: Post['platform'], nativeId: string): Uuid {
  return uuidFromName('post', platform, nativeId)
}

/**
 * Stores matched posts, a mention for each keyword, their place in the queue for scores, and the counters, in the
 * caller's transaction. The same post again makes nothing new; when it was edited, its newer text is stored and the
 * mentions of these keywords are found by it. A keyword that has meanwhile gone or been muted, or
 * whose monthly limit is reached, gets no mention. The rows of the counters are locked in one order, so two batches
 * with the same keywords wait for each other and every limit is exact.
 */
export async function ingest(tx: Transaction, matched: readonly MatchedPost[], options: IngestOptions): Promise<NewMention[]> {
  const candidates = matched.flatMap((one) =>
    one.keywords.map(({ workspaceId, keywordId }) => ({
      ...one,
      workspaceId,
      keywordId,
      post: one.post,
      postId: postId(one.post.platform, one.post.nativeId),
    })),
  )
  if (candidates.length === 0) return []
  const counters = await lockCounters(tx, candidates)
  const existing = await existingMentions(tx, candidates)
  const known = new Map<string, Admitted>()
  const admitted: Admitted[] = []
  for (const candidate of candidates) {
    const pair = pairOf(candidate.keywordId, candidate.postId)
    const counter = counters.get(candidate.keywordId)
    const mentionId = existing.get(pair)
    if (mentionId) known.set(pair, { ...candidate, mentionId })
    if (!counter || known.has(pair) || !countMatch(counter, options)) continue
    const made = { ...candidate, mentionId: newUuid(options.at) }
    known.set(pair, made)
    admitted.push(made)
  }
  const changed = await storePosts(tx, [...known.values()], options.at)
  await refreshFacets(
    tx,
    [...known.values()].filter((one) => existing.has(pairOf(one.keywordId, one.postId)) && changed.has(one.postId)),
  )
  if (admitted.length === 0) return []
  await storeMentions(tx, admitted, options)
  await storeCounters(tx, [...counters.values()], admitted, options)
  return admitted.map(({ workspaceId, mentionId }) => ({ workspaceId, mentionId }))
}

interface Candidate extends MatchedPost {
  workspaceId: Uuid
  keywordId: Uuid
  postId: Uuid
}

interface Admitted extends Candidate {
  mentionId: Uuid
}

/** The locked counter of a keyword, and what this batch does to it. */
interface Counter {
  workspace_id: Uuid
  keyword_id: Uuid
  month: string
  month_mentions: number
  cap_own: number | null
  welcome_limits: boolean
  muted: boolean
  paused_for_cap: boolean
  term: string
  kind: KeywordKind
  added: number
}

async function lockCounters(tx: Transaction, candidates: readonly Candidate[]): Promise<Map<Uuid, Counter>> {
  const wanted = [candidates.map((one) => one.workspaceId), candidates.map((one) => one.keywordId)]
  await tx.run(
    'ingest-lock-counters',
    `select from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id) order by c.workspace_id, c.keyword_id for update of c`,
    wanted,
  )
  // A statement that waited for a lock has the newest counter but the keyword as it was before the wait. Whoever changes
  // the running state or the limit of a keyword holds its counter, so a statement that begins now sees what counts.
  const rows = await tx.run<Omit<Counter, 'added'>>(
    'ingest-read-counters',
    `select c.workspace_id, c.keyword_id, c.month, c.month_mentions, k.cap_own, w.welcome_limits, k.muted, k.paused_for_cap, k.term, k.kind
     from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id)
     join keyword k on k.workspace_id = c.workspace_id and k.id = c.keyword_id
     join workspace w on w.id = c.workspace_id`,
    wanted,
  )
  return new Map(rows.map((row) => [row.keyword_id, { ...row, added: 0 }]))
}

function pairOf(keywordId: Uuid, post: Uuid): string {
  return `${keywordId} ${post}`
}

/** The mentions that are there already, by pair of keyword and post. */
async function existingMentions(tx: Transaction, candidates: readonly Candidate[]): Promise<Map<string, Uuid>> {
  const rows = await tx.run<{ id: Uuid; keyword_id: Uuid; post_id: Uuid }>(
    'ingest-existing',
    `select m.id, m.keyword_id, m.post_id from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as t (workspace_id, keyword_id, post_id)
     join mention m on m.workspace_id = t.workspace_id and m.keyword_id = t.keyword_id and m.post_id = t.post_id`,
    [candidates.map((one) => one.workspaceId), candidates.map((one) => one.keywordId), candidates.map((one) => one.postId)],
  )
  return new Map(rows.map((row) => [pairOf(row.keyword_id, row.post_id), row.id]))
}

/** Counts one more match of this month, unless the keyword is muted or its limit is reached. */
function countMatch(counter: Counter, { at, metered }: IngestOptions): boolean {
  if (counter.muted) return false
  const cap = capOf(counter.cap_own, metered && counter.welcome_limits)
  if (cap && monthCountOf(counter, at) + counter.added >= cap.mentions) return false
  counter.added += 1
  return true
}

/** Answers the posts that are new or whose text is another than before. */
async function storePosts(tx: Transaction, mentions: readonly Admitted[], at: Date): Promise<Set<Uuid>> {
  const posts = [...new Map(mentions.map((one) => [one.postId, one.post])).entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  if (posts.length === 0) return new Set()
  const rows = posts.map(([id, post]) => ({
    id,
    platform: platformNumber(post.platform),
    native_id: post.nativeId,
    url: post.url,
    title: post.title,
    body: post.text,
    image_url: post.imageUrl,
    links: post.links,
    published_at: post.publishedAt,
    language_hint: post.languageHint,
    author_id: post.author?.id ?? null,
    author: post.author,
    engagement: post.engagement,
    reply_to: post.replyTo,
    review: post.review,
  }))
  // An edited post comes again under its id: the newer text is kept.
  const changed = await tx.run<{ id: Uuid }>(
    'ingest-posts',
    `insert into post (id, platform, native_id, url, title, body, image_url, links, published_at, language_hint, author_id, author, engagement, reply_to, review, collected_at)
     select id, platform, native_id, url, title, body, image_url, array(select jsonb_array_elements_text(links)), published_at, language_hint, author_id,
       nullif(author, 'null'), nullif(engagement, 'null'), nullif(reply_to, 'null'), nullif(review, 'null'), $2
     from jsonb_to_recordset($1::jsonb) as t (id uuid, platform smallint, native_id text, url text, title text, body text, image_url text, links jsonb, published_at timestamptz,
       language_hint text, author_id text, author jsonb, engagement jsonb, reply_to jsonb, review jsonb)
     on conflict (id) do update set title = excluded.title, body = excluded.body, links = excluded.links, image_url = excluded.image_url
       where (post.title, post.body) is distinct from (excluded.title, excluded.body)
     returning id`,
    [JSON.stringify(rows), at],
  )
  return new Set(changed.map((row) => row.id))
}

/** What an edited post is found by now; its scores stay. */
async function refreshFacets(tx: Transaction, mentions: readonly Admitted[]): Promise<void> {
  if (mentions.length === 0) return
  const rows = mentions.map((one) => ({ workspace_id: one.workspaceId, id: one.mentionId, facets: facetsOf(one) }))
  await tx.run(
    'ingest-facets',
    `update mention m set facets = t.facets
     from (select workspace_id, id, array(select jsonb_array_elements_text(facets)::bigint) as facets
       from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, facets jsonb) order by workspace_id, id) t
     where m.workspace_id = t.workspace_id and m.id = t.id`,
    [JSON.stringify(rows)],
  )
}

async function storeMentions(tx: Transaction, admitted: readonly Admitted[], { leasedUntil }: IngestOptions): Promise<void> {
  const rows = admitted.map((one) => ({
    workspace_id: one.workspaceId,
    id: one.mentionId,
    keyword_id: one.keywordId,
    post_id: one.postId,
    // The time of the id, not the batch's: two batches at once may take ids in another order than they read the clock,
    // and lists are walked by id.
    created_at: timeOfUuid(one.mentionId),
    published_at: one.post.publishedAt,
    platform: platformNumber(one.post.platform),
    is_reply: one.post.replyTo !== null,
    rating: one.post.review?.rating ?? null,
    followers: storedCount(one.post.author?.followers),
    likes: storedCount(one.post.engagement?.likes),
    reposts: storedCount(one.post.engagement?.reposts),
    replies: storedCount(one.post.engagement?.replies),
    quotes: storedCount(one.post.engagement?.quotes),
    views: storedCount(one.post.engagement?.views),
    bookmarks: storedCount(one.post.engagement?.bookmarks),
    facets: facetsOf(one),
  }))
  await tx.run(
    'ingest-mentions',
    `with made as (
       insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers, likes, reposts, replies, quotes, views, bookmarks, facets)
       select workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating, followers, likes, reposts, replies, quotes, views, bookmarks,
         array(select jsonb_array_elements_text(facets)::bigint)
       from jsonb_to_recordset($1::jsonb) as t (workspace_id uuid, id uuid, keyword_id uuid, post_id uuid, created_at timestamptz, published_at timestamptz, platform smallint, is_reply boolean, rating smallint,
         followers integer, likes integer, reposts integer, replies integer, quotes integer, views integer, bookmarks integer, facets jsonb)
       returning workspace_id, id)
     insert into score_queue (workspace_id, mention_id, leased_until) select workspace_id, id, $2 from made`,
    [JSON.stringify(rows), leasedUntil],
  )
}

const COUNT_MAX = 2 ** 31 - 1

/** A count as lists filter by it: beyond what the column holds all are alike. The post keeps the exact one. */
function storedCount(count: number | null | undefined): number | null {
  return count === null || count === undefined ? null : Math.max(-COUNT_MAX, Math.min(COUNT_MAX, count))
}

/** Words, hosts and names, each hashed with the workspace: what one index finds a mention by. */
function facetsOf({ workspaceId, words, authorKeys, post }: Admitted): string[] {
  const hosts = linkHostsOf(post.links)
  return [
    ...new Set([
      ...words.map((word) => facetHash(workspaceId, 'word', word)),
      ...hosts.map((host) => facetHash(workspaceId, 'host', host)),
      ...authorKeys.map((key) => facetHash(workspaceId, 'author', key)),
    ]),
  ]
}

async function storeCounters(tx: Transaction, counters: readonly Counter[], admitted: readonly Admitted[], options: IngestOptions): Promise<void> {
  const { at, metered } = options
  const month = dayOf(monthStart(at))
  const moved = counters.filter((counter) => counter.added > 0)
  await tx.run(
    'ingest-counters',
    `update keyword_counter c set mentions = c.mentions + t.added, last_mention_at = $4,
       month_mentions = case when c.month >= $5::date then c.month_mentions else 0 end + t.added, month = greatest(c.month, $5::date)
     from unnest($1::uuid[], $2::uuid[], $3::int[]) as t (workspace_id, keyword_id, added)
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id`,
    [moved.map((one) => one.workspace_id), moved.map((one) => one.keyword_id), moved.map((one) => one.added), at, month],
  )
  await tx.run(
    'ingest-usage',
    `insert into usage_day as u (workspace_id, day, keyword_id, platform, matched)
     select workspace_id, $4::date, keyword_id, platform, count(*) from unnest($1::uuid[], $2::uuid[], $3::smallint[]) as t (workspace_id, keyword_id, platform)
     group by workspace_id, keyword_id, platform order by workspace_id, keyword_id, platform
     on conflict (workspace_id, day, keyword_id, platform) do update set matched = u.matched + excluded.matched`,
    [admitted.map((one) => one.workspaceId), admitted.map((one) => one.keywordId), admitted.map((one) => platformNumber(one.post.platform)), dayOf(at)],
  )
  for (const counter of moved) await followCap(tx, counter, at, metered)
}

/**
 * A keyword whose last admitted match filled its month stops collecting and says so; one that had stopped in an earlier
 * month is found to collect again. The daily look at the month does the same for keywords without a match.
 */
async function followCap(tx: Transaction, counter: Counter, at: Date, metered: boolean): Promise<void> {
  const cap = capOf(counter.cap_own, metered && counter.welcome_limits)?.mentions ?? null
  const monthCount = monthCountOf(counter, at) + counter.added
  const turned = counter.paused_for_cap && counter.month < dayOf(monthStart(at))
  const first = turned ? stepRunning(counterState(counter), { kind: 'month_turned', cap, monthCount: 0 }) : { state: counterState(counter), event: null }
  const second = cap !== null && monthCount >= cap ? stepRunning(first.state, { kind: 'cap_reached' }) : { state: first.state, event: null }
  const events = [first.event, second.event].filter((event) => event !== null)
  if (events.length === 0) return
  await tx.query(
    sql`update keyword set paused_for_cap = ${second.state.pausedForCap} where workspace_id = ${counter.workspace_id} and id = ${counter.keyword_id}`,
  )
  await announceKeywords(tx, counter.workspace_id, [counter.keyword_id])
  const keyword = { workspaceId: counter.workspace_id, id: counter.keyword_id, term: counter.term, kind: counter.kind }
  for (const event of events) await recordRunningEvent(tx, { keyword, event, cap, monthCount, at })
}

function counterState({ muted, paused_for_cap }: Counter): RunningState {
  return { muted, pausedForBalance: false, pausedForNoise: false, pausedForCap: paused_for_cap }
}

/** A counter that another machine has moved to the next month already stays there, or the matches of that month were lost. */
function monthCountOf({ month, month_mentions }: Counter, at: Date): number {
  return month >= dayOf(monthStart(at)) ? month_mentions : 0
}

/** Removes posts that their platform no longer has, with every mention of them; what waits to be sent is cancelled. */
export async function removePosts(tx: Transaction, ids: readonly Uuid[]): Promise<number> {
  if (ids.length === 0) return 0
  const present = await tx.run<{ id: Uuid }>('remove-posts-present', 'select id from post where id = any($1::uuid[]) order by id for update', [ids])
  if (present.length === 0) return 0
  const values = [present.map((row) => row.id)]
  await cancelDeliveries(
    tx,
    sql`(d.workspace_id, d.mention_id) in (select m.workspace_id, m.id from mention m where m.post_id = any(${values[0]}::uuid[]))`,
    'the post was removed',
  )
  // Mentions before their places in the queue, as scoring does, so that the two never wait for each other in a ring.
  await tx.run(
    'remove-posts-mentions',
    `with gone as (delete from mention where post_id = any($1::uuid[]) returning workspace_id, id)
     delete from score_queue q using gone where q.workspace_id = gone.workspace_id and q.mention_id = gone.id`,
    values,
  )
  await tx.run('remove-posts', 'delete from post where id = any($1::uuid[])', values)
  return present.length
}

/** The stored posts of people who are no longer on a platform. */
export async function postsOfAuthors(tx: Transaction, platform: Post['platform'], authorIds: readonly string[]): Promise<Uuid[]> {
  if (authorIds.length === 0) return []
  const rows = await tx.run<{ id: Uuid }>('posts-of-authors', 'select id from post where platform = $1 and author_id = any($2::text[])', [
    platformNumber(platform),
    authorIds,
  ])
  return rows.map((row) => row.id)
}
