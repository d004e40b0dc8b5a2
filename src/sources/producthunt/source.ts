import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { batchesOf } from '../../kernel/batches.ts'
import type { CollectContext, Cursor, SourceBatch, StreamSource } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { advanceFlow } from '../seen-flow.ts'
import { type Walk, walkBack, warnOfCut } from '../walk-back.ts'
import { type Ask, asking, commentsOf, DISCUSSIONS, HOST, launchesSince, PAGE, POINTS } from './api.ts'
import { enrich, SITE_HOST } from './enrich.ts'
import {
  commentRules,
  DAY_SECONDS,
  firstPosition,
  forgetOld,
  LATE_DAYS,
  type LaunchesPosition,
  positionFrom,
  toCursor,
  WATCHED_DAYS,
} from './position.ts'
import { commentToPost, type Discussed, launchToPost, withoutTracking } from './to-post.ts'
import { comment, commentsReply, type Launch, post, postsReply } from './wire.ts'

/** Of 20 posts: more than a week has. */
const MOST_PAGES = 80
/** Of 20 comments of one post in a poll. */
const MOST_COMMENT_PAGES = 5
/** Polls from one look at the posts of the whole week to the next. */
const POLLS_A_WEEK_LOOK = 4
/** The share of the points that may be used at once. */
const BURST = 2500

/** The token of a developer, whose terms forbid commercial use without permission. */
export function producthunt({ token }: { token: string }): StreamSource {
  const ask = asking(token)
  return {
    platform: 'producthunt',
    hosts: [HOST, SITE_HOST],
    limits: [{ quota: 'points', kind: 'paced', ...POINTS, burst: BURST }],
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.producthunt.pollSeconds,
    poll: (context, cursor) => poll({ ask, context }, cursor),
    enrich,
  }
}

interface Asking {
  ask: Ask
  context: CollectContext
}

/** Posts first, then the comments of posts whose number of comments has grown. */
async function* poll(asking: Asking, cursor: Cursor | null): AsyncIterable<SourceBatch> {
  const { context } = asking
  const atSeconds = secondsOf(context.at)
  const position = cursor === null ? firstPosition(atSeconds) : positionFrom(cursor)
  const days = position.polls % POLLS_A_WEEK_LOOK === 0 ? WATCHED_DAYS : LATE_DAYS
  const { items: launches, cut } = await readLaunches(asking, days)
  if (cursor === null) rememberAll(position, launches, cut)
  else if (cut) warnOfCut(context, { platform: 'producthunt', list: 'posts', pages: MOST_PAGES })
  position.polls += 1
  yield { events: newLaunches(position, launches, context.at), cursor: toCursor(position) }
  const grown = launches.filter(
    ({ id, commentsCount }) => commentsCount > (position.posts.get(id)?.comments ?? commentsCount),
  )
  for (const discussed of batchesOf(grown, DISCUSSIONS)) {
    const events = await newComments(asking, position, discussed)
    yield { events, cursor: toCursor(position) }
  }
}

function readLaunches({ ask, context }: Asking, days: number): Promise<Walk<Launch>> {
  const since = new Date(context.at.getTime() - days * DAY_SECONDS * 1000)
  let after: string | null = null
  let ended = false
  return walkBack<Launch>({
    mostPages: MOST_PAGES,
    async read() {
      if (ended) return []
      const { data } = await ask(context, launchesSince(since, after), postsReply)
      const { edges, pageInfo } = data.posts
      after = pageInfo.endCursor ?? null
      ended = !pageInfo.hasNextPage || after === null
      return readItems(nodesOf(edges), post, context, 'producthunt', { part: { list: 'posts' } })
    },
    isKnown: () => false,
  })
}

/** What there is at the first poll is not new, but for what was made known within the last minute. */
function rememberAll(position: LaunchesPosition, launches: readonly Launch[], cut: boolean): void {
  const times = launches.map(({ createdAt }) => secondsOf(new Date(createdAt)))
  for (const [at, { id, commentsCount }] of launches.entries()) {
    const createdSeconds = times[at] ?? 0
    if (createdSeconds < position.sinceSeconds) position.posts.set(id, { createdSeconds, comments: commentsCount })
  }
  const oldest = position.sinceSeconds - WATCHED_DAYS * DAY_SECONDS
  position.floorSeconds = cut ? Math.min(position.sinceSeconds, ...times) : oldest
}

/** Unknown posts, oldest first. Their comments are still unread. */
function newLaunches(position: LaunchesPosition, launches: readonly Launch[], at: Date): SourceBatch['events'] {
  const atSeconds = secondsOf(at)
  forgetOld(position, atSeconds)
  const found = launches.flatMap((launch) => {
    const createdSeconds = Math.min(secondsOf(new Date(launch.createdAt)) || atSeconds, atSeconds)
    const known = position.posts.get(launch.id)
    // After a deletion the next comment is new at an unchanged count.
    if (known) known.comments = Math.min(known.comments, launch.commentsCount)
    return known || createdSeconds < position.floorSeconds ? [] : [{ launch, createdSeconds }]
  })
  found.sort((a, b) => a.createdSeconds - b.createdSeconds || Number(a.launch.id) - Number(b.launch.id))
  return found.flatMap(({ launch, createdSeconds }) => {
    position.posts.set(launch.id, { createdSeconds, comments: 0 })
    return eventOf(launchToPost(launch, at))
  })
}

async function newComments(
  asking: Asking,
  position: LaunchesPosition,
  launches: readonly Launch[],
): Promise<SourceBatch['events']> {
  const found: Post[] = []
  const lists = await readComments(
    asking,
    launches.map(({ id }) => id),
    null,
  )
  for (const launch of launches) {
    const said: Discussed = { url: withoutTracking(launch.url), name: launch.name }
    const unread = launch.commentsCount - (position.posts.get(launch.id)?.comments ?? 0)
    let list = lists.get(launch.id)
    for (let page = 1; list; page += 1) {
      found.push(...list.comments.flatMap((item) => commentToPost(item, said, asking.context.at) ?? []))
      if (list.after === null || page * PAGE >= unread || page === MOST_COMMENT_PAGES) break
      list = (await readComments(asking, [launch.id], list.after)).get(launch.id)
    }
  }
  const items = found.map((item) => ({ nativeId: item.nativeId, seconds: secondsOf(item.publishedAt), item }))
  items.sort((a, b) => a.seconds - b.seconds || (a.nativeId < b.nativeId ? -1 : 1))
  const fresh = advanceFlow(position.comments, items, secondsOf(asking.context.at), commentRules(position))
  for (const { id, commentsCount } of launches) {
    const known = position.posts.get(id)
    if (known) known.comments = commentsCount
  }
  return fresh.flatMap(({ item }) => eventOf(item))
}

interface CommentList {
  comments: ReturnType<typeof comment.parse>[]
  after: string | null
}

/** By the id of the post; posts that are gone are left out. */
async function readComments(
  { ask, context }: Asking,
  ids: readonly string[],
  after: string | null,
): Promise<Map<string, CommentList>> {
  const { data } = await ask(context, commentsOf(ids, after), commentsReply)
  return new Map(
    Object.entries(data).flatMap(([alias, found]): [string, CommentList][] => {
      if (found === null) return []
      const { edges, pageInfo } = found.comments
      const part = { list: 'comments' }
      const comments = readItems(nodesOf(edges), comment, context, 'producthunt', { part })
      return [[alias.slice(1), { comments, after: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null }]]
    }),
  )
}

function nodesOf(edges: readonly { node?: unknown }[]): unknown[] {
  return edges.map(({ node }) => node)
}

function eventOf(post: Post | null): SourceBatch['events'] {
  return post === null ? [] : [{ kind: 'post', post }]
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
