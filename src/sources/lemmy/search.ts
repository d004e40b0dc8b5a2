import type { Post } from '../../domain/post/post.ts'
import { type CollectContext, QuotaReached, type Searching, type SearchQuery, SourceFault } from '../contract.ts'
import { newestFirst } from '../newest-first.ts'
import { phraseOf } from '../phrase.ts'
import { readItems } from '../read-items.ts'
import { ask, PAGE } from './api.ts'
import { fromCommentView, fromPostView } from './to-post.ts'
import { commentView, postView, searchReply } from './wire.ts'

/** A server admits few searches. */
const MOST_PAGES = 5

/** Servers find words, not phrases. Any of them knows the federation: the next is asked when one fails. */
export function searchWith(servers: readonly string[]): Searching['search'] {
  return async function* search(context, query) {
    const words = phraseOf(query.terms[0] ?? '')
    if (words === null) return
    for (const [at, server] of servers.entries()) {
      try {
        return yield* searchServer(context, server, words, query)
      } catch (error) {
        const isLast = at === servers.length - 1
        if (!(error instanceof SourceFault) || error instanceof QuotaReached || isLast) throw error
        context.log.warn(
          { event: 'source.search_moved', err: error, platform: 'lemmy', part: server },
          'A server cannot search; the next is asked',
        )
      }
    }
  }
}

async function* searchServer(
  context: CollectContext,
  server: string,
  words: string,
  { since, limit }: SearchQuery,
): AsyncIterable<Post[]> {
  const parameters = { q: words, type_: 'All', sort: 'New', listing_type: 'All', limit: PAGE }
  let left = limit
  for (let page = 1; page <= MOST_PAGES && left > 0; page += 1) {
    const reply = await ask(context, {
      server,
      call: 'search',
      parameters: { ...parameters, page },
      shape: searchReply,
    })
    const part = { list: 'search', server }
    const posts = readItems(reply.posts, postView, context, 'lemmy', { part })
    const comments = readItems(reply.comments, commentView, context, 'lemmy', { part })
    const found = [
      ...posts.map((view) => fromPostView(view, context.at)),
      ...comments.map((view) => fromCommentView(view, server, context.at)),
    ]
    const wanted = newestFirst(found, since, left)
    if (wanted.length > 0) yield wanted
    left -= wanted.length
    // Removed posts make no post; a page without any in time is the end of what is wanted.
    if (wanted.length === 0 || found.length < PAGE) return
  }
}
