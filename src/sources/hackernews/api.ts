import type { CollectContext } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { type Hit, hit, searchReply } from './wire.ts'

export const HOST = 'hn.algolia.com'
export const REACH = 1000

/** Newest first, `fromSeconds` exclusive, `toSeconds` inclusive. */
export interface IndexQuery {
  fromSeconds: number
  toSeconds: number | null
  /** Every hit if absent. */
  query?: string
  page: number
  size: number
}

/** `whole`: no further hits. The index's count is approximate and used only for full replies. */
export interface FoundItems {
  hits: Hit[]
  whole: boolean
  pages: number
}

export async function askIndex(
  context: CollectContext,
  { fromSeconds, toSeconds, query, page, size }: IndexQuery,
): Promise<FoundItems> {
  const url = new URL(`https://${HOST}/api/v1/search_by_date`)
  // Typo tolerance would match short words to similar ones.
  for (const [name, value] of query === undefined
    ? []
    : [['query', query] as const, ['typoTolerance', 'false'] as const])
    url.searchParams.set(name, value)
  url.searchParams.set('tags', '(story,comment)')
  url.searchParams.set(
    'numericFilters',
    `created_at_i>${fromSeconds}${toSeconds === null ? '' : `,created_at_i<=${toSeconds}`}`,
  )
  url.searchParams.set('hitsPerPage', String(size))
  url.searchParams.set('page', String(page))
  const reply = readJson(await context.fetch(url.href, { cost: { requests: 1 } }), searchReply, context.at)
  // Before the cursor moves past them.
  const hits = readItems(reply.hits, hit, context, 'hackernews')
  if (reply.hits.length === 0 && reply.nbHits > 0)
    context.log.warn(
      { event: 'source.hits_missing', platform: 'hackernews', counted: reply.nbHits },
      'The index reports hits and returns none',
    )
  const whole = reply.hits.length < size || (page === 0 && reply.nbHits <= reply.hits.length)
  return { hits, whole, pages: reply.nbPages }
}
