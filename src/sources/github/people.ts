import type { Post } from '../../domain/post/post.ts'
import { type BoundedCache, boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { askAtOnce } from '../at-once.ts'
import type { CollectContext } from '../contract.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask } from './ask.ts'
import { person } from './wire.ts'

/** The quota is shared with comments. */
const MAX_LOOK_UPS = 30
const CACHED_PEOPLE = 5000
const FRESH_MS = 24 * 3_600_000
const NAME_CHARACTERS = 200
/** People, apps (`name[bot]`) and managed users of companies (`name_company`). */
const LOGIN = /^[a-z\d](?:[\w-]{0,98})(?:\[bot\])?$/i

/** Null fields: no such person. */
interface Person {
  id: string | null
  name: string | null
  followers: number | null
  etag: string | undefined
  askedMs: number
}

export interface People {
  fillIn(context: CollectContext, posts: readonly Post[]): Promise<Post[]>
  /** Null if there is no such person. */
  idOf(context: CollectContext, login: string): Promise<string | null>
}

export function people(token: string | null): People {
  const cache = boundedCache<Person>({ most: CACHED_PEOPLE })
  return {
    async fillIn(context, posts) {
      const logins = [...new Set(posts.flatMap((post) => loginOf(post) ?? []))]
      const stale = logins.filter((login) => !isFresh(cache.get(login), context.at))
      await askAtOnce(context, stale.slice(0, MAX_LOOK_UPS), (login) => lookUp(context, token, login, cache))
      return posts.map((post) => withPerson(post, cache.get(loginOf(post) ?? '')))
    },
    async idOf(context, handle) {
      const login = handle.replace(/^@/, '').toLowerCase()
      if (!LOGIN.test(login)) return null
      if (!isFresh(cache.get(login), context.at)) await lookUp(context, token, login, cache)
      return cache.get(login)?.id ?? null
    },
  }
}

function loginOf({ author }: Post): string | null {
  const login = author?.handle?.toLowerCase()
  return login && author?.followers === null && author.automated !== true && LOGIN.test(login) ? login : null
}

function isFresh(person: Person | undefined, at: Date): boolean {
  return person !== undefined && at.getTime() - person.askedMs < FRESH_MS
}

async function lookUp(
  context: CollectContext,
  token: string | null,
  login: string,
  cache: BoundedCache<Person>,
): Promise<void> {
  const before = cache.get(login)
  const reply = await ask(context, token, `${API}/users/${encodeURIComponent(login)}`, {
    cost: { core: 1 },
    etag: before?.etag,
  })
  const askedMs = context.at.getTime()
  if (reply.status === 304 && before) {
    context.spend({ core: -1 })
    cache.set(login, { ...before, askedMs })
  } else if (reply.status === 404) cache.set(login, { id: null, name: null, followers: null, etag: undefined, askedMs })
  else {
    const { id, name, followers } = readJson(reply, person, context.at)
    cache.set(login, {
      id: String(id),
      name: excerpt(cleanLine(name ?? ''), NAME_CHARACTERS) || null,
      followers: followers ?? null,
      etag: reply.headers['etag'],
      askedMs,
    })
  }
}

/** A login may have passed to somebody else. */
function withPerson(post: Post, found: Person | undefined): Post {
  if (!post.author || !found || found.id === null || (post.author.id !== null && post.author.id !== found.id))
    return post
  return { ...post, author: { ...post.author, name: found.name ?? post.author.name, followers: found.followers } }
}
