import type { Author, Post } from '../../domain/post/post.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { type CollectContext, MONEY, QuotaReached, type SearchSource, SourceFault } from '../contract.ts'
import { itemReader } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { type Ask, understood } from './asking.ts'
import { postUrl, toAuthor } from './to-post.ts'
import { user, usersReply } from './wire.ts'

/** In millionths of a dollar. */
const PERSON_PRICE = 10_000
/** The platform allows 100; smaller prepaid batches fit the rest of a day's budget. */
const PEOPLE_PER_LOOK_UP = 25
const CACHE_BOUNDS = { most: 20_000, forMs: 30 * DAY_MS }

/** Each lookup costs money, so unknown people are cached too. */
export function people(ask: Ask): Required<Pick<SearchSource, 'enrich' | 'resolveAuthor'>> {
  const known = timedCache<Author | null>(CACHE_BOUNDS)
  const idsByHandle = timedCache<string>(CACHE_BOUNDS)
  return {
    async enrich(context, posts) {
      const ids = [...new Set(posts.flatMap(({ author }) => author?.id ?? []))].filter(
        (id) => known.get(id, context.at) === undefined,
      )
      try {
        for (let from = 0; from < ids.length; from += PEOPLE_PER_LOOK_UP)
          await learn(context, ids.slice(from, from + PEOPLE_PER_LOOK_UP))
      } catch (error) {
        // People found so far are paid.
        if (!(error instanceof QuotaReached) && !context.signal.aborted) throw error
        context.log.info(
          { event: 'source.people_incomplete', platform: 'x', people: ids.length, err: error },
          'Some authors could not be looked up',
        )
      }
      return posts.map((post) => withAuthor(post, known.get(post.author?.id ?? '', context.at) ?? null))
    },
    async resolveAuthor(context, handle) {
      const name = handle.trim().replace(/^@/, '').toLowerCase()
      if (!/^\w{1,15}$/.test(name)) return null
      const id = idsByHandle.get(name, context.at)
      if (id !== undefined) return id
      const { authors, odd } = await lookUp(ask, context, '/2/users/by', new URLSearchParams({ usernames: name }), 1)
      if (odd > 0) throw new SourceFault('shape_changed', 'a person has an unexpected form')
      const [author] = authors
      if (!author?.id) return null
      idsByHandle.set(name, author.id, context.at)
      return author.id
    },
  }

  async function learn(context: CollectContext, part: readonly string[]): Promise<void> {
    const parameters = new URLSearchParams({
      ids: part.join(','),
      'user.fields': 'name,username,profile_image_url,public_metrics',
    })
    const { authors, odd } = await lookUp(ask, context, '/2/users', parameters, part.length)
    const byId = new Map(authors.map((author) => [author.id, author]))
    // An unreadable person is not a missing one.
    for (const id of part) if (byId.has(id) || odd === 0) known.set(id, byId.get(id) ?? null, context.at)
  }
}

async function lookUp(
  ask: Ask,
  context: CollectContext,
  path: string,
  parameters: URLSearchParams,
  most: number,
): Promise<{ authors: Author[]; odd: number }> {
  const paid = most * PERSON_PRICE
  const reply = understood(context, await ask(context, path, parameters, { lookups: 1, [MONEY]: paid }), paid)
  const raw = readJson(reply, usersReply, context.at).data ?? []
  context.spend({ [MONEY]: raw.length * PERSON_PRICE - paid })
  const reader = itemReader(context, 'x')
  const authors = reader.readAll(raw, user).map(toAuthor)
  reader.judge()
  return { authors, odd: reader.odd() }
}

function withAuthor(post: Post, author: Author | null): Post {
  return author?.handle ? { ...post, url: postUrl(author.handle, post.nativeId), author } : post
}
