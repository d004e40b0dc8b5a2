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
import { walkBack, warnOfCut } from '../walk-back.ts'
import { forumAddress } from './address.ts'
import { type Shown, toShown } from './to-post.ts'
import { about, latestPosts, post } from './wire.ts'

/** Of 50 posts each. */
const MOST_PAGES = 20

/** Of the newest posts. One with an id among them that was not shown before appeared late. */
const SEEN_IDS = 100

/** The highest id of the forum that was read, and the newest ids that were shown. */
const cursorShape = z.object({
  highest: z.int().nonnegative(),
  seen: z.array(z.coerce.number().int().nonnegative()).max(SEEN_IDS).default([]),
})
type Position = z.infer<typeof cursorShape>

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
  const position = stored === null ? null : cursorShape.parse(stored)
  const shown = await readBack(asking, place, position)
  const posts = shown.flatMap(({ post }): Post[] =>
    post !== null && (position !== null || post.publishedAt >= place.since) ? [post] : [],
  )
  return {
    // By rising id: the platform's order.
    posts: posts.reverse(),
    cursor: positionAfter(position, shown),
    title: null,
    restSeconds: null,
  }
}

type IsKnown = (id: number) => boolean

function knownBy(position: Position | null): IsKnown {
  if (position === null) return () => false
  const { highest, seen } = position
  const known = new Set(seen)
  const floor = Math.min(highest, ...seen)
  return (id) => id <= floor || known.has(id)
}

function positionAfter(position: Position | null, shown: readonly Shown[]): Cursor {
  const ids = new Set([...(position?.seen ?? []), ...shown.map(({ id }) => id)])
  const newest = [...ids].sort((a, b) => b - a).slice(0, SEEN_IDS)
  return { highest: Math.max(position?.highest ?? 0, ...newest), seen: newest.map(String) }
}

/** Posts by falling id down to a page with known ones; without a position, down to when the forum was named. */
async function readBack(asking: Asking, { address, since }: Place, position: Position | null): Promise<Shown[]> {
  const isKnown = knownBy(position)
  const { items, cut } = await walkBack<Shown>({
    mostPages: MOST_PAGES,
    async read(_, last) {
      const before = last?.id ?? Number.POSITIVE_INFINITY
      // Some versions answer the post `before` itself again.
      return (await readPage(asking, address, { before, isKnown })).filter(({ id }) => id < before)
    },
    isKnown: ({ id, createdMs }) => (position === null ? createdMs < since.getTime() : isKnown(id)),
  })
  if (cut) warnOfCut(asking.context, { platform: 'discourse', list: 'posts', pages: MOST_PAGES, part: address })
  return items
}

interface PageWanted {
  /** Infinity for the newest page. */
  before: number
  /** Known posts are not converted. */
  isKnown: IsKnown
}

async function readPage(asking: Asking, forum: string, { before, isKnown }: PageWanted): Promise<Shown[]> {
  const { context } = asking
  const reply = await ask(asking, forum, Number.isFinite(before) ? `/posts.json?before=${before}` : '/posts.json')
  const { latest_posts: raw } = readJson(reply, latestPosts, context.at)
  return readItems(raw, post, context, 'discourse')
    .map((item) => toShown(item, { forum, isKnown: isKnown(item.id), at: context.at }))
    .sort((a, b) => b.id - a.id)
}

async function ask({ robots, context, named, keys }: Asking, forum: string, path: string) {
  const hosts = hostsOfPlace(forum)
  const key = named.includes(forum) ? keys.get(new URL(forum).host) : undefined
  const headers = { accept: 'application/json', ...(key === undefined ? {} : { 'user-api-key': key }) }
  const check = (each: string) => robots.check(context, each, hosts)
  const reply = await askPlace(context, { address: `${forum}${path}`, hosts, headers, check })
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
  const newest = { before: Number.POSITIVE_INFINITY, isKnown: knownBy(null) }
  const candidates = [...new Set([named, new URL(named).origin])]
  for (const forum of candidates) {
    const posts = await readPage(asVisitor, forum, newest).catch(notFound)
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
