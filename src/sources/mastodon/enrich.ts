import type { Post, ReplyTo } from '../../domain/post/post.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import { timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { askAtOnce } from '../at-once.ts'
import { type CollectContext, SourceFault } from '../contract.ts'
import { normalPost } from '../normal-post.ts'
import { ask, type HomeServer } from './api.ts'
import { toPost } from './to-post.ts'
import { status } from './wire.ts'

const MOST_PARENTS = 5000

/** Fills in the parents of replies whose parent's place on a listed server is known. */
export function enriching(
  servers: readonly string[],
  home: HomeServer | null,
): (context: CollectContext, posts: readonly Post[]) => Promise<Post[]> {
  const cached = timedCache<ReplyTo>({ most: MOST_PARENTS, forMs: HOUR_MS })
  return async (context, posts) => {
    const known = new Map<string, ReplyTo>()
    const unknown = new Set<string>()
    for (const url of posts.map(parentUrlOf)) {
      const parent = cached.get(url, context.at)
      if (parent) known.set(url, parent)
      else if (placeOf(url, servers) !== null) unknown.add(url)
    }
    await askAtOnce(context, [...unknown], async (url) => {
      const parent = await parentAt(url, context)
      if (parent === null) return
      known.set(url, parent)
      cached.set(url, parent, context.at)
    })
    return posts.map((post) => withParent(post, known.get(parentUrlOf(post))))
  }

  /** Null if it is gone or not shown. */
  async function parentAt(url: string, context: CollectContext): Promise<ReplyTo | null> {
    const { server, id } = placeOf(url, servers)!
    try {
      const item = await ask(context, `https://${server}/api/v1/statuses/${id}`, status, home)
      const parent = toPost(item, { server, at: context.at })
      return parent && { author: parent.author?.handle ?? null, url: parent.url, text: parent.text }
    } catch (error) {
      if (error instanceof SourceFault && (error.kind === 'gone' || error.kind === 'credentials')) return null
      throw error
    }
  }
}

function parentUrlOf({ replyTo }: Post): string {
  return replyTo?.url ?? ''
}

function placeOf(url: string, servers: readonly string[]): { server: string; id: string } | null {
  const [, server, id] = url.match(/^https:\/\/([^/]+)\/@[^/]+\/(\d{1,25})$/) ?? []
  return server && id && servers.includes(server) ? { server, id } : null
}

/** Bounds the additions; the post's own time as `at` keeps `publishedAt`. */
function withParent(post: Post, parent: ReplyTo | undefined): Post {
  if (!parent || !post.replyTo) return post
  const replyTo = { ...parent, author: parent.author ?? post.replyTo.author }
  return normalPost({ ...post, languageTag: post.languageHint, replyTo }, post.publishedAt) ?? post
}
