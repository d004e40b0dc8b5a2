import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery } from '../contract.ts'
import { phraseOf } from '../phrase.ts'
import { readItems } from '../read-items.ts'
import { ask, type HomeServer } from './api.ts'
import { type Honoured, isWanted, toPost } from './to-post.ts'
import { type Status, searchReply, status } from './wire.ts'

const PAGE_POSTS = 40
/** Ends results that never end. */
const MOST_PAGES = 10

/** The full text of posts whose authors agreed to be found, as far as the account's server knows them. */
export function searchingAs(home: HomeServer, honoured: Honoured): Searching {
  return { termsPerSearch: 1, search }

  async function* search(context: CollectContext, { terms, since, limit }: SearchQuery): AsyncIterable<Post[]> {
    const phrase = phraseOf(terms[0] ?? '')
    if (phrase === null) return
    let left = limit
    for (let pages = 0; pages < MOST_PAGES && left > 0; pages += 1) {
      const raw = await pageOf(context, phrase, pages * PAGE_POSTS)
      const statuses = readItems(raw, status, context, 'mastodon', { part: { server: home.host } })
      const posts = postsOf(statuses, context)
        .filter((post) => post.publishedAt >= since)
        .slice(0, left)
      if (posts.length > 0) yield posts
      left -= posts.length
      if (raw.length < PAGE_POSTS || (statuses.length > 0 && statuses.every((item) => isBefore(item, since)))) return
    }
  }

  async function pageOf(context: CollectContext, phrase: string, offset: number): Promise<unknown[]> {
    const query = new URLSearchParams({
      q: `"${phrase}"`,
      type: 'statuses',
      limit: String(PAGE_POSTS),
      offset: String(offset),
    })
    const address = `https://${home.host}/api/v2/search?${query}`
    return (await ask(context, address, searchReply, home)).statuses
  }

  function postsOf(statuses: readonly Status[], { at }: CollectContext): Post[] {
    return statuses
      .filter((item) => isWanted(item, honoured))
      .flatMap((item) => toPost(item, { server: home.host, at }) ?? [])
  }
}

function isBefore({ created_at }: Status, since: Date): boolean {
  return Date.parse(created_at) < since.getTime()
}
