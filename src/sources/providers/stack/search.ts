import type { Post } from '../../../domain/post/post.ts'
import type { CollectContext, SearchQuery } from '../../contract.ts'
import { newestFirst } from '../../newest-first.ts'
import { cutBetweenWords, phraseOf } from '../../phrase.ts'
import { readItems } from '../../read-items.ts'
import { type Api, PAGE_SIZE } from './api.ts'
import { postToPost } from './to-post.ts'
import { excerpt, post } from './wire.ts'

/** Two requests a page, of the quota that polls need. */
const MAX_PAGES = 5
/** A longer phrase is cut at a word, which only finds more. */
const PHRASE_CHARACTERS = 200
/** Brackets would be read as a tag. */
const UNQUOTABLE = /["[\]\\\p{Cc}]+/gu

/** Excerpts lack authors, so posts are requested by id. Comments cannot be searched. */
export async function* search(
  context: CollectContext,
  api: Api,
  { terms, since, limit, maxPages = MAX_PAGES }: SearchQuery & { maxPages?: number },
): AsyncIterable<Post[]> {
  const phrase = phraseOf(terms[0] ?? '', { unquotable: UNQUOTABLE })
  if (phrase === null) return
  const q = `"${cutBetweenWords(phrase, PHRASE_CHARACTERS)}"`
  const fromdate = Math.floor(since.getTime() / 1000)
  for (let page = 1, found = 0; page <= maxPages && found < limit; page += 1) {
    const pagesize = Math.min(PAGE_SIZE, limit)
    const { items, more } = await api.list('search/excerpts', {
      q,
      sort: 'creation',
      order: 'desc',
      fromdate,
      pagesize,
      page,
    })
    const ids = new Set(
      readItems(items, excerpt, context, api.site.platform).map((hit) => String(hit.answer_id ?? hit.question_id)),
    )
    const posts = ids.size === 0 ? [] : await postsOf(context, api, [...ids])
    const wanted = newestFirst(posts, since)
    if (wanted.length > 0) yield wanted
    found += wanted.length
    if (!more || items.length === 0) return
  }
}

async function postsOf(context: CollectContext, api: Api, ids: readonly string[]): Promise<(Post | null)[]> {
  const { items } = await api.list('posts', {}, ids)
  return readItems(items, post, context, api.site.platform).map((item) => postToPost(item, api.site, context.at))
}
