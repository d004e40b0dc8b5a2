import type { Author, Post } from '../../domain/post/post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type SearchSource, SourceFault } from '../contract.ts'
import { type List, PAGE } from './listing.ts'
import { toAuthor } from './to-post.ts'
import { channel, channelId } from './wire.ts'

const CACHE_BOUNDS = { most: 10_000, forMs: 7 * DAY_MS }

/** Videos lack their channels' handle, picture and reach. */
export function channels(list: List): Required<Pick<SearchSource, 'enrich' | 'resolveAuthor'>> {
  const known = timedCache<Author | null>(CACHE_BOUNDS)
  return {
    async enrich(context, posts) {
      const ids = [...new Set(posts.flatMap(({ author }) => author?.id ?? []))].filter(
        (id) => known.get(id, context.at) === undefined,
      )
      for (let from = 0; from < ids.length; from += PAGE) {
        const part = ids.slice(from, from + PAGE)
        const parameters = { part: 'snippet,statistics', id: part.join(','), maxResults: String(PAGE) }
        const { items, count } = await list(context, {
          method: 'channels',
          parameters,
          cost: { units: 1 },
          shape: channel,
        })
        const authors = new Map(items.map((item) => [item.id, toAuthor(item)]))
        // An unreadable channel is not a missing one.
        for (const id of part)
          if (authors.has(id) || count === items.length) known.set(id, authors.get(id) ?? null, context.at)
      }
      return posts.map((post) => withAuthor(post, known.get(post.author?.id ?? '', context.at) ?? null))
    },
    async resolveAuthor(context, handle) {
      const name = handle.trim().replace(/^@/, '')
      if (!/^[^\s@/?#]{1,100}$/u.test(name)) return null
      const parameters = { part: 'id', forHandle: `@${name}` }
      const { items, count } = await list(context, {
        method: 'channels',
        parameters,
        cost: { units: 1 },
        shape: channelId,
      })
      if (count > items.length) throw new SourceFault('shape_changed', 'a channel has an unexpected form')
      return items[0]?.id ?? null
    },
  }
}

function withAuthor(post: Post, author: Author | null): Post {
  return author === null ? post : { ...post, author: { ...author, name: author.name ?? post.author?.name ?? null } }
}
