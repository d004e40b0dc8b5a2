import { z } from 'zod'
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { askPlace, faultOfPlace } from '../ask-place.ts'
import {
  type CollectContext,
  type Cursor,
  type FoundPlace,
  type Place,
  type PlacePoll,
  type PlacesSource,
  SourceFault,
} from '../contract.ts'
import { hostsOfPlace } from '../place-address.ts'
import { readItems } from '../read-items.ts'
import { readJson, saidIn } from '../reply-fault.ts'
import { Robots } from '../robots.ts'
import { forumAddress } from './address.ts'
import { toPost } from './to-post.ts'
import { about, type ForumPost, latestPosts, post } from './wire.ts'

/** Of 50 posts each. */
const MOST_PAGES = 20

/** The highest id of the forum that was read. */
const cursorShape = z.object({ highest: z.int().nonnegative() })

export interface DiscourseOptions {
  named: readonly string[]
  /** By host; sent only to forums that the operator named. */
  keys: ReadonlyMap<string, string>
}

/** Every public post of a Discourse forum, topics and replies. */
export function discourse(options: DiscourseOptions): PlacesSource {
  const robots = new Robots()
  return {
    platform: 'discourse',
    hosts: [],
    limits: [],
    mode: 'places',
    pollSeconds: PLATFORM_FACTS.discourse.pollSeconds,
    named: options.named,
    hostsOf: hostsOfPlace,
    poll: (context, place, cursor) => poll({ ...options, robots, context }, place, cursor),
    find: (context, address) => find({ ...options, robots, context }, address),
  }
}

interface Asking extends DiscourseOptions {
  robots: Robots
  context: CollectContext
}

async function poll(asking: Asking, place: Place, stored: Cursor | null): Promise<PlacePoll> {
  const highest = stored === null ? null : cursorShape.parse(stored).highest
  const { found, newest } = await readBack(asking, place, highest)
  const { at } = asking.context
  const posts = found.flatMap((item): Post[] => {
    const made = toPost(item, place.address, at)
    return made !== null && (highest !== null || made.publishedAt >= place.since) ? [made] : []
  })
  return {
    // By rising id: the platform's order.
    posts: posts.reverse(),
    cursor: { highest: Math.max(newest, highest ?? 0) },
    title: null,
    restSeconds: null,
  }
}

/** Posts by falling id down to the highest known one; without one, down to when the forum was named. */
async function readBack(
  asking: Asking,
  { address, since }: Place,
  highest: number | null,
): Promise<{ found: ForumPost[]; newest: number }> {
  const found: ForumPost[] = []
  let [before, newest] = [Number.POSITIVE_INFINITY, 0]
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const shown = await readPage(asking, address, before)
    const fresh = shown.filter(({ id }) => id < before && id > (highest ?? 0))
    found.push(...fresh)
    newest = Math.max(newest, ...fresh.map(({ id }) => id))
    const lowest = Math.min(...shown.map(({ id }) => id))
    const isOver = highest === null && shown.some((item) => Date.parse(item.created_at) < since.getTime())
    // Older versions answer a window of ids, so only an empty page or a known id is the end.
    if (isOver || fresh.length < shown.length || shown.length === 0 || lowest >= before) return { found, newest }
    before = lowest
  }
  asking.context.log.warn(
    { event: 'source.posts_cut', platform: 'discourse', posts: found.length },
    'A forum has more new posts than are read; the oldest are left out',
  )
  return { found, newest }
}

async function readPage(asking: Asking, forum: string, before: number): Promise<ForumPost[]> {
  const { context } = asking
  const reply = await ask(asking, forum, Number.isFinite(before) ? `/posts.json?before=${before}` : '/posts.json')
  const { latest_posts: raw } = readJson(reply, latestPosts, context.at)
  return readItems(raw, post, context, 'discourse').sort((a, b) => b.id - a.id)
}

async function ask({ robots, context, named, keys }: Asking, forum: string, path: string) {
  const address = `${forum}${path}`
  await robots.check(context, address)
  const key = named.includes(forum) ? keys.get(new URL(forum).host) : undefined
  const headers = { accept: 'application/json', ...(key === undefined ? {} : { 'user-api-key': key }) }
  const reply = await askPlace(context, { address, hosts: hostsOfPlace(forum), headers })
  const fault = faultOfForum(reply.status) ?? faultOfPlace(reply, context.at)
  if (fault) throw fault
  return reply
}

/** A challenge page of a proxy comes with 403, as does a forum for members only. */
function faultOfForum(status: number): SourceFault | null {
  return status === 403
    ? new SourceFault('gone', 'The forum shows its posts to members only, or refuses programs (status 403).')
    : null
}

/** The forum at an address or around it. Its key is the operator's, so nobody else may name such a forum. */
async function find(asking: Asking, address: string): Promise<FoundPlace> {
  const named = forumAddress(address)
  if (named === null) throw new SourceFault('gone', 'This is no address of a forum.')
  if (asking.keys.has(new URL(named).host))
    throw new SourceFault('gone', 'The operator reads this forum with a key, so only the operator can name it.')
  const asVisitor = { ...asking, keys: new Map<string, string>() }
  const candidates = [...new Set([named, new URL(named).origin])]
  for (const forum of candidates) {
    const posts = await readPage(asVisitor, forum, Number.POSITIVE_INFINITY).catch(notFound)
    if (posts !== null) return { address: forum, title: await titleOf(asVisitor, forum) }
  }
  throw new SourceFault('gone', 'There is no Discourse forum at this address that shows its posts to visitors.')
}

function notFound(error: unknown): null {
  if (error instanceof SourceFault && (error.kind === 'gone' || error.kind === 'shape_changed')) return null
  throw error
}

async function titleOf(asking: Asking, forum: string): Promise<string | null> {
  const reply = await ask(asking, forum, '/about.json').catch(notFound)
  return reply === null ? null : (saidIn(reply, about)?.about.title ?? null)
}
