import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { type CollectContext, type SourceBatch, SourceFault, type StreamSource } from '../contract.ts'
import { type Api, createApi, HOST } from './api.ts'
import { attempt, concernsAll, FAILED_ARTICLES_MAX } from './article-faults.ts'
import { oldestFirst } from './oldest-first.ts'
import {
  type DevtoCursor,
  evictOldest,
  type Known,
  NOTHING_READ,
  placeFrom,
  recordArticle,
  secondsOf,
  toCursor,
} from './place.ts'
import { search } from './search.ts'
import { onSite, type Parent } from './to-post.ts'
import type { Listed } from './wire.ts'

const PAGE = 100
/** Checked in rotation, one per poll, for new comments and late articles. */
const WATCHED_PAGES = 20
/** The first poll records all watched articles, in the largest pages. */
const FIRST_PAGE = 1000
/** New comments on articles from before the collecting are at most this old. */
const FIRST_LOOK_BACK_SECONDS = 60
/** Articles read per batch. */
const SLICE = 20
const MOST_TRIES = 10

export function devto(options: { key: string | null }): StreamSource {
  const api = createApi(options.key)
  return {
    platform: 'devto',
    mode: 'stream',
    hosts: [HOST],
    // The limit is three requests a second; less, because they do not arrive evenly.
    limits: [{ quota: 'requests', kind: 'paced', most: 5, perSeconds: 2, burst: 1 }],
    pollSeconds: PLATFORM_FACTS.devto.pollSeconds,
    poll: (context, cursor) => (cursor === null ? begin(api, context) : poll(api, context, placeFrom(cursor))),
    searching: { termsPerSearch: 1, search: (context, query) => search(api, context, query) },
  }
}

/** Records the present articles, so that only others are new. */
async function* begin(api: Api, context: CollectContext): AsyncIterable<SourceBatch> {
  const place: DevtoCursor = { floorSeconds: 0, nextPage: 2, articles: new Map(), tries: new Map() }
  const sinceSeconds = Math.floor(context.at.getTime() / 1000) - FIRST_LOOK_BACK_SECONDS
  const pages = (WATCHED_PAGES * PAGE) / FIRST_PAGE
  let full = true
  for (let page = 1; page <= pages && full; page += 1) {
    const articles = await api.latest(context, page, FIRST_PAGE)
    for (const article of articles)
      recordArticle(place, article, {
        readSeconds: Math.max(secondsOf(article.last_comment_at), sinceSeconds),
        readIds: [],
      })
    full = articles.length >= FIRST_PAGE
  }
  // Older articles exist only if the last page was full.
  if (full)
    place.floorSeconds = Math.min(...[...place.articles.values()].map(({ publishedSeconds }) => publishedSeconds))
  yield { events: [], cursor: toCursor(place) }
}

async function* poll(api: Api, context: CollectContext, place: DevtoCursor): AsyncIterable<SourceBatch> {
  const articles = await readPages(api, context, place)
  const fresh = articles.filter(
    (article) => !place.articles.has(article.id) && secondsOf(article.published_timestamp) > place.floorSeconds,
  )
  const discussed = articles.filter((article) => hasNewComments(article, place.articles.get(article.id)))
  for (const article of articles) countDown(article, place.articles.get(article.id))
  const toRead = oldestFirst(fresh).map((fir): Task => ({ one: fir, read: readArticle }))
  const toLookBelow = oldestFirst(discussed).map((fir): Task => ({ one: fir, read: readComments }))
  const failedBefore = ({ one }: Task) => place.tries.has(one.id)
  const neverFailed = (task: Task) => !failedBefore(task)
  // Earlier failures come last, so that they delay no other article.
  const groups = [
    toRead.filter(neverFailed),
    toLookBelow.filter(neverFailed),
    [...toRead, ...toLookBelow].filter(failedBefore),
  ]
  const slices = groups.flatMap((tasks) => batchesOf(tasks, SLICE))
  const troubles: Troubles = { inARow: 0, putOff: 0, first: null }
  for (const slice of slices) {
    const { posts, moved, end } = await readSlice({ api, context, place }, slice, troubles)
    if (moved) yield toBatch(posts, place)
    if (end instanceof SourceFault) throw end
    if (end) break
  }
  if (troubles.putOff > 0)
    context.log.warn(
      { event: 'source.articles_postponed', err: troubles.first, platform: 'devto', articles: troubles.putOff },
      'Articles cannot be read now and are postponed',
    )
  // The next page must be stored even if nothing was found.
  if (slices.length === 0) yield toBatch([], place)
}

/** The newest pages up to one with a known article, and one older page. */
async function readPages(api: Api, context: CollectContext, place: DevtoCursor): Promise<Listed[]> {
  const articles = new Map<number, Listed>()
  const look = async (page: number) => {
    const found = await api.latest(context, page, PAGE)
    // Articles move to later pages meanwhile, so one may come twice.
    for (const item of found) articles.set(item.id, item)
    return { last: found.length < PAGE, known: found.some(({ id }) => place.articles.has(id)) }
  }
  let page = 1
  let looked = await look(page)
  while (!looked.last && !looked.known && page < WATCHED_PAGES) {
    page += 1
    looked = await look(page)
  }
  if (!looked.last && !looked.known)
    context.log.warn(
      { event: 'source.articles_cut', platform: 'devto', page },
      'There are more new articles than are read; the oldest are left out',
    )
  const older = Math.max(place.nextPage, page + 1)
  const wanted = !looked.last && older <= WATCHED_PAGES
  const ended = !wanted || (await look(older)).last
  place.nextPage = ended || older === WATCHED_PAGES ? 2 : older + 1
  return [...articles.values()]
}

function hasNewComments(item: Listed, known: Known | undefined): boolean {
  return (
    known !== undefined &&
    (item.comments_count > known.comments || secondsOf(item.last_comment_at) > known.lastCommentSeconds)
  )
}

/** After a deletion the next comment is new at an unchanged count. */
function countDown(item: Listed, known: Known | undefined): void {
  if (known && item.comments_count < known.comments) known.comments = item.comments_count
}

interface Reading {
  api: Api
  context: CollectContext
  place: DevtoCursor
}

/** An article with all comments, or only its new comments. */
interface Task {
  one: Listed
  read(reading: Reading, item: Listed): Promise<Outcome>
}

interface Outcome {
  posts: Post[]
  fault: SourceFault | null
}

interface Troubles {
  /** Since the last readable article. */
  inARow: number
  putOff: number
  first: SourceFault | null
}

/** `moved`: whether the position changed. Ends the poll with a fault, or when no earlier failure is readable. */
interface Slice {
  posts: Post[]
  moved: boolean
  end: SourceFault | boolean
}

/**
 * Postpones an article that fails for its own reason. Throttling, a refused key and several new failures in a row end
 * the poll. Posts read before are yielded, so that a backlog shrinks in bad times too.
 */
async function readSlice(reading: Reading, slice: readonly Task[], troubles: Troubles): Promise<Slice> {
  const { place } = reading
  const read: Slice = { posts: [], moved: false, end: false }
  for (const { one, read: readOne } of slice) {
    const { posts, fault } = await readOne(reading, one)
    read.posts.push(...posts)
    if (fault && concernsAll(fault)) return { ...read, moved: read.moved || posts.length > 0, end: fault }
    read.moved = true
    if (fault === null) {
      place.tries.delete(one.id)
      troubles.inARow = 0
      continue
    }
    const failedBefore = place.tries.has(one.id)
    putOff(reading, one, fault)
    troubles.first ??= fault
    troubles.putOff += 1
    troubles.inARow += 1
    if (troubles.inARow === FAILED_ARTICLES_MAX) return { ...read, end: failedBefore || fault }
  }
  return read
}

/** After the last attempt the article counts as read, and only later comments are. */
function putOff({ place, context }: Reading, item: Listed, fault: SourceFault): void {
  const tries = (place.tries.get(item.id) ?? 0) + 1
  if (tries < MOST_TRIES) {
    place.tries.set(item.id, tries)
    return
  }
  place.tries.delete(item.id)
  recordArticle(place, item, place.articles.get(item.id) ?? NOTHING_READ)
  context.log.warn(
    { event: 'source.article_dropped', err: fault, platform: 'devto', article: item.id, tries },
    'An article cannot be read and is left out',
  )
}

/** Nothing if the article was deleted. The article does not wait for its comments. */
async function readArticle(reading: Reading, item: Listed): Promise<Outcome> {
  const { api, context, place } = reading
  const article = await attempt(context, api.article(context, item.id))
  if (article instanceof SourceFault) return { posts: [], fault: article }
  const readable = article !== null && item.comments_count > 0
  recordArticle(place, readable ? { ...item, comments_count: 0, last_comment_at: null } : item, NOTHING_READ)
  const comments = readable ? await readComments(reading, item) : { posts: [], fault: null }
  return { posts: article === null ? [] : [article, ...comments.posts], fault: comments.fault }
}

/** Since the last check, the same second included. */
async function readComments({ api, context, place }: Reading, item: Listed): Promise<Outcome> {
  const found = await attempt(context, api.comments(context, item.id, parentOf(item)))
  if (found instanceof SourceFault) return { posts: [], fault: found }
  const { readSeconds, readIds } = place.articles.get(item.id) ?? NOTHING_READ
  const fresh = found.filter(
    (post) =>
      writtenSeconds(post) > readSeconds || (writtenSeconds(post) === readSeconds && !readIds.includes(codeOf(post))),
  )
  const newestSeconds = fresh.reduce((newest, post) => Math.max(newest, writtenSeconds(post)), readSeconds)
  const newestIds = found.filter((post) => writtenSeconds(post) === newestSeconds).map(codeOf)
  recordArticle(place, item, { readSeconds: newestSeconds, readIds: newestIds })
  return { posts: fresh, fault: null }
}

/** The platform's times are whole seconds. */
function writtenSeconds({ publishedAt }: Post): number {
  return Math.floor(publishedAt.getTime() / 1000)
}

function codeOf({ nativeId }: Post): string {
  return nativeId.slice(nativeId.indexOf(':') + 1)
}

function parentOf({ user, url, title }: Listed): Parent {
  return { author: user.username ?? null, url: onSite(url), text: title }
}

function toBatch(posts: readonly Post[], place: DevtoCursor): SourceBatch {
  evictOldest(place)
  const sorted = [...posts].sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime())
  return { events: sorted.map((post) => ({ kind: 'post', post })), cursor: toCursor(place) }
}
