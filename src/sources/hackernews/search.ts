import type { Post } from '../../domain/post/post.ts'
import type { CollectContext, Searching, SearchQuery } from '../contract.ts'
import { phraseOf } from '../phrase.ts'
import { askIndex, REACH } from './api.ts'
import { toPost } from './to-post.ts'

/** Requests that one search may take: a thousand hits each. */
const MOST_REQUESTS = 10

/** Asks the index for one phrase: it knows no "or" between phrases. */
export const searching: Searching = { termsPerSearch: 1, search }

/**
 * The index answers no page beyond its reach, so each further request asks for what is not newer than the oldest hit of
 * the one before. That second is read twice, because it may hold more hits than came with it.
 */
async function* search(context: CollectContext, { terms, since, limit }: SearchQuery): AsyncIterable<Post[]> {
  const phrase = phraseOf(terms[0] ?? '')
  // The index compares words, and there is none in it.
  if (phrase === null) return
  const query = `"${phrase}"`
  // The index compares with whole seconds, and only for what is later.
  const fromSeconds = Math.ceil(since.getTime() / 1000) - 1
  const seen = new Set<string>()
  let toSeconds: number | null = null
  let left = limit
  for (let requests = 0; requests < MOST_REQUESTS && left > 0; requests += 1) {
    // What comes a second time takes its place in the reply too.
    const size: number = Math.min(REACH, left + seen.size)
    const { hits, whole } = await askIndex(context, { fromSeconds, toSeconds, query, page: 0, size })
    const fresh = hits.filter(({ objectID }) => !seen.has(objectID))
    const posts = fresh.map((item) => toPost(item, context.at)).filter((post) => post !== null)
    if (posts.length > 0) yield posts.slice(0, left)
    left -= posts.length
    if (whole || hits.length === 0) return
    const oldestSeconds: number = Math.min(...hits.map((hit) => hit.created_at_i))
    // A second with more hits than one reply carries is given up, or it would be asked for again and again.
    toSeconds = fresh.length > 0 ? oldestSeconds : oldestSeconds - 1
    for (const { objectID } of hits) seen.add(objectID)
  }
}
