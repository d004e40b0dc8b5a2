import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery } from '../contract.ts'
import { phraseOf } from '../phrase.ts'
import { askIndex, REACH } from './api.ts'
import { toPost } from './to-post.ts'

/** A thousand hits each. */
const MOST_REQUESTS = 10

/** The index has no "or" between phrases. */
export const searching: Searching = { termsPerSearch: 1, search }

/**
 * Each request ends at the oldest second of the previous one, because the index serves no further page. That second is
 * read twice, because more hits may share it.
 */
async function* search(context: CollectContext, { terms, since, limit }: SearchQuery): AsyncIterable<Post[]> {
  const phrase = phraseOf(terms[0] ?? '')
  if (phrase === null) return
  const query = `"${phrase}"`
  // The index compares whole seconds, exclusively.
  const fromSeconds = Math.ceil(since.getTime() / 1000) - 1
  const seen = new Set<string>()
  let toSeconds: number | null = null
  let left = limit
  for (let requests = 0; requests < MOST_REQUESTS && left > 0; requests += 1) {
    // Repeated hits take up part of the reply.
    const size: number = Math.min(REACH, left + seen.size)
    const { hits, whole } = await askIndex(context, { fromSeconds, toSeconds, query, page: 0, size })
    const fresh = hits.filter(({ objectID }) => !seen.has(objectID))
    const posts = fresh.map((item) => toPost(item, context.at)).filter((post) => post !== null)
    if (posts.length > 0) yield posts.slice(0, left)
    left -= posts.length
    if (whole || hits.length === 0) return
    const oldestSeconds: number = Math.min(...hits.map((hit) => hit.created_at_i))
    // A second with more hits than a reply carries would loop.
    toSeconds = fresh.length > 0 ? oldestSeconds : oldestSeconds - 1
    for (const { objectID } of hits) seen.add(objectID)
  }
}
