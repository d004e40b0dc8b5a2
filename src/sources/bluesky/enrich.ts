import type { Post } from '../../domain/post/post.ts'
import { type TimedCache, timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { askAtOnce } from '../at-once.ts'
import type { CollectContext } from '../contract.ts'
import { normalPost } from '../normal-post.ts'
import { askAppView, MOST_NAMED, readReply, readViews } from './appview.ts'
import { engagementOf, personOf, placeFromPage, uriOf } from './to-post.ts'
import { type PostView, type Profile, postsReply, postView, profile, profilesReply } from './wire.ts'

const HOUR_MS = 3_600_000
/** Followers and names change slowly, and a busy feed repeats people. */
const PROFILE_MS = 24 * HOUR_MS
const MOST_PROFILES = 20_000
const PARENT_MS = HOUR_MS
const MOST_PARENTS = 5000
/** A younger post has only zeros, which would be stored for good. */
const COUNTED_AFTER_MS = 600_000

type Parent = { author: string | null; text: string }

export interface EnrichLimits {
  mostProfiles: number
  mostParents: number
}

/**
 * Replies lack deleted accounts and parents, whose posts stay as they are. Keeps what arrived before an abort or a
 * fault.
 */
export function enriching(
  limits: Partial<EnrichLimits> = {},
): (context: CollectContext, posts: readonly Post[]) => Promise<Post[]> {
  const profiles = timedCache<Profile>({ most: limits.mostProfiles ?? MOST_PROFILES, forMs: PROFILE_MS })
  const parents = timedCache<Parent>({ most: limits.mostParents ?? MOST_PARENTS, forMs: PARENT_MS })
  return async (context, posts) => {
    const people = peopleOf(posts, profiles, context)
    const others = othersOf(posts, parents, context)
    await askAtOnce(context, [...people.requests, ...others.requests], (request) => request())
    return posts.map((post) => {
      const view = mayBeCounted(post, context) ? others.views.get(uriOfPost(post)) : undefined
      return enriched(post, people.known.get(didOf(post)), view, others.answered.get(parentUriOf(post) ?? ''))
    })
  }
}

/** Collected apart, because the cache may evict a profile while it stores another. */
function peopleOf(posts: readonly Post[], cached: TimedCache<Profile>, context: CollectContext) {
  const known = new Map<string, Profile>()
  const unknown: string[] = []
  for (const did of unique(posts.map(didOf))) {
    const item = cached.get(did, context.at)
    if (item) known.set(did, item)
    else unknown.push(did)
  }
  const requests = portions(unknown).map((actors) => async () => {
    const parameters = actors.map((did): [string, string] => ['actors', did])
    const reply = await askAppView(context, 'app.bsky.actor.getProfiles', parameters)
    for (const view of readViews(readReply(reply, profilesReply, context.at).profiles, profile, context)) {
      known.set(view.did, view)
      cached.set(view.did, view, context.at)
    }
  })
  return { known, requests }
}

function othersOf(posts: readonly Post[], cached: TimedCache<Parent>, context: CollectContext) {
  const answered = new Map<string, Parent>()
  const wanted = new Set<string>()
  for (const post of posts) {
    if (mayBeCounted(post, context)) wanted.add(uriOfPost(post))
    const uri = parentUriOf(post)
    if (uri === null) continue
    const parent = cached.get(uri, context.at)
    if (parent) answered.set(uri, parent)
    else wanted.add(uri)
  }
  const parentUris = new Set(posts.map(parentUriOf))
  const views = new Map<string, PostView>()
  const requests = portions([...wanted]).map((uris) => async () => {
    const reply = await askAppView(
      context,
      'app.bsky.feed.getPosts',
      uris.map((uri) => ['uris', uri]),
    )
    for (const view of readViews(readReply(reply, postsReply, context.at).posts, postView, context)) {
      views.set(view.uri, view)
      if (!parentUris.has(view.uri)) continue
      const { handle, name } = personOf(view.author)
      const parent = { author: handle ?? name, text: view.record.text }
      answered.set(view.uri, parent)
      cached.set(view.uri, parent, context.at)
    }
  })
  return { views, answered, requests }
}

function mayBeCounted({ engagement, publishedAt }: Post, { at }: CollectContext): boolean {
  return engagement === null && at.getTime() - publishedAt.getTime() >= COUNTED_AFTER_MS
}

/** Bounds the additions; the post's own time as `at` keeps `publishedAt`. */
function enriched(
  post: Post,
  person: Profile | undefined,
  view: PostView | undefined,
  parent: Parent | undefined,
): Post {
  const draft = {
    ...post,
    languageTag: post.languageHint,
    engagement: post.engagement ?? (view ? engagementOf(view) : null),
    replyTo: post.replyTo && parent ? { ...post.replyTo, ...parent } : post.replyTo,
    author: person ? { ...post.author, ...personOf(person), followers: person.followersCount ?? null } : post.author,
  }
  return normalPost(draft, post.publishedAt) ?? post
}

function didOf(post: Post): string {
  return post.nativeId.slice(0, post.nativeId.indexOf('/'))
}

function uriOfPost(post: Post): string {
  return uriOf({ did: didOf(post), rkey: post.nativeId.slice(post.nativeId.indexOf('/') + 1) })
}

function parentUriOf({ replyTo }: Post): string | null {
  const place = replyTo?.url ? placeFromPage(replyTo.url) : null
  return place && uriOf(place)
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

function portions(values: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(values.length / MOST_NAMED) }, (_, at) =>
    values.slice(at * MOST_NAMED, (at + 1) * MOST_NAMED),
  )
}
