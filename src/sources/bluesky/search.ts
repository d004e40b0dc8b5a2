import type { Post } from '../../domain/post/post.ts'
import { cleanLine } from '../../kernel/text.ts'
import { type CollectContext, type Searching, type SearchQuery, SourceFault, type SourceReply } from '../contract.ts'
import { ACCOUNT_HOST, methodUrl, type Parameters, readReply, readViews, refusalOf } from './appview.ts'
import { viewToPost } from './to-post.ts'
import { postView, searchReply, session } from './wire.ts'

export interface BlueskyAccount {
  handle: string
  appPassword: string
}

const PAGE_POSTS = 100
/** Ends a cursor that loops. */
const MOST_PAGES = 10
const STALE_TOKEN = new Set(['ExpiredToken', 'InvalidToken'])

export function searchingAs(account: BlueskyAccount): Searching {
  const sessions = sessionOf(account)
  return { termsPerSearch: 1, search }

  async function* search(context: CollectContext, { terms, since, limit }: SearchQuery): AsyncIterable<Post[]> {
    const phrase = cleanLine((terms[0] ?? '').replaceAll('"', ' '))
    if (phrase === '') return
    let cursor: string | null = null
    let left = limit
    for (let page = 0; page < MOST_PAGES && left > 0; page += 1) {
      const parameters: [string, string][] = [
        ['q', `"${phrase}"`],
        ['sort', 'latest'],
        ['since', since.toISOString()],
        ['limit', String(Math.min(PAGE_POSTS, left))],
      ]
      if (cursor !== null) parameters.push(['cursor', cursor])
      const reply = readReply(await asked(context, parameters), searchReply, context.at)
      const posts = postsFrom(reply.posts, context)
        .filter((post) => post.publishedAt >= since)
        .slice(0, left)
      if (posts.length > 0) yield posts
      left -= posts.length
      if (!reply.cursor || reply.posts.length === 0 || reply.cursor === cursor) return
      cursor = reply.cursor
    }
  }

  /** Replaces an expired token once. */
  async function asked(context: CollectContext, parameters: Parameters): Promise<SourceReply> {
    const token = await sessions.token(context)
    const reply = await askedWith(context, parameters, token)
    const stale = reply.status === 401 || STALE_TOKEN.has(refusalOf(reply, context.at) ?? '')
    if (!stale) return reply
    sessions.drop(token)
    const again = await askedWith(context, parameters, await sessions.token(context))
    if (STALE_TOKEN.has(refusalOf(again, context.at) ?? ''))
      throw new SourceFault('credentials', 'the platform refuses the token that it has just given')
    return again
  }
}

function askedWith(context: CollectContext, parameters: Parameters, token: string): Promise<SourceReply> {
  const headers = { authorization: `Bearer ${token}` }
  return context.fetch(methodUrl(ACCOUNT_HOST, 'app.bsky.feed.searchPosts', parameters), {
    headers,
    cost: { appview: 1 },
  })
}

function postsFrom(raw: readonly unknown[], context: CollectContext): Post[] {
  return readViews(raw, postView, context)
    .map(viewToPost)
    .filter((post): post is Post => post !== null)
}

/** Callers share an attempt in progress. */
function sessionOf({ handle, appPassword }: BlueskyAccount) {
  let current: string | null = null
  let opening: Promise<string> | null = null
  return {
    async token(context: CollectContext): Promise<string> {
      while (current === null && opening) await opening.catch(() => null)
      context.signal.throwIfAborted()
      if (current !== null) return current
      const own = open(context)
      opening = own
      try {
        current = await own
        return current
      } finally {
        if (opening === own) opening = null
      }
    },
    drop(token: string): void {
      if (current === token) current = null
    },
  }

  async function open(context: CollectContext): Promise<string> {
    const reply = await context.fetch(methodUrl(ACCOUNT_HOST, 'com.atproto.server.createSession'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: handle, password: appPassword }),
      cost: { appview: 1, sessions: 1 },
    })
    return readReply(reply, session, context.at).accessJwt
  }
}
