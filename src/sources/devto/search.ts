import type { Post } from '../../domain/post/post.ts'
import { batchesOf } from '../../kernel/batches.ts'
import { type CollectContext, type SearchQuery, SourceFault } from '../contract.ts'
import { phraseOf } from '../phrase.ts'
import type { Api } from './api.ts'
import { attempt, concernsAll, FAILED_ARTICLES_MAX } from './article-faults.ts'
import { oldestFirst } from './oldest-first.ts'
import type { Listed } from './wire.ts'

const MOST_FOUND = 100
/** Small batches, because somebody may be waiting. */
const FOUND_SLICE = 5

/**
 * The platform sorts by likes and lists no texts, so articles are read and sorted here. Skips an unreadable one unless
 * the fault is the platform's.
 */
export async function* search(
  api: Api,
  context: CollectContext,
  { terms, since, limit }: SearchQuery,
): AsyncIterable<Post[]> {
  const words = phraseOf(terms[0] ?? '')
  if (words === null) return
  const days = Math.max(1, Math.ceil((context.at.getTime() - since.getTime()) / 86_400_000))
  const found = await api.found(context, words, days, MOST_FOUND)
  const wanted = oldestFirst(found.filter((item) => Date.parse(item.published_timestamp) >= since.getTime())).reverse()
  const failures = { inARow: 0 }
  for (const slice of batchesOf(wanted.slice(0, limit), FOUND_SLICE)) {
    const { posts, end } = await readFound(api, context, slice, failures)
    if (posts.length > 0) yield posts
    if (end) throw end
  }
}

async function readFound(
  api: Api,
  context: CollectContext,
  slice: readonly Listed[],
  failures: { inARow: number },
): Promise<{ posts: Post[]; end: SourceFault | null }> {
  const posts: Post[] = []
  for (const { id } of slice) {
    const post = await attempt(context, api.article(context, id))
    if (!(post instanceof SourceFault)) {
      failures.inARow = 0
      if (post) posts.push(post)
      continue
    }
    failures.inARow += 1
    if (concernsAll(post) || failures.inARow === FAILED_ARTICLES_MAX) return { posts, end: post }
    context.log.warn(
      { event: 'source.article_failed', err: post, platform: 'devto', article: id },
      'An article cannot be read',
    )
  }
  return { posts, end: null }
}
