import type { CollectContext, SearchQuery } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask } from './ask.ts'
import { type Issue, issue, searchReply } from './wire.ts'

const PER_PAGE = 100
/** The platform shows the first 1000 hits of a query. */
const MAX_PAGES = 10
/** Asks for the places in which the phrases stand, which tells comments from texts. */
const WITH_MATCHES = 'application/vnd.github.text-match+json'

export interface FoundIssues {
  issues: Issue[]
  /** False when the search took the platform too long, and it answered with a part. */
  whole: boolean
}

/**
 * Issues and pull requests that the query finds, page by page, the last touched first, until `limit` of those written
 * since then are there: what was written later than a page's last touch stands on the pages before it.
 */
export async function* findIssues(
  context: CollectContext,
  token: string | null,
  q: string,
  { since, limit }: SearchQuery,
): AsyncIterable<FoundIssues> {
  let found = 0
  for (let page = 1; page <= MAX_PAGES && found < limit; page += 1) {
    const url = new URL(`${API}/search/issues`)
    const parameters = {
      q,
      sort: 'updated',
      order: 'desc',
      per_page: String(PER_PAGE),
      page: String(page),
      advanced_search: 'true',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const reply = readJson(
      await ask(context, token, url.href, { cost: { searches: 1 }, accept: WITH_MATCHES }),
      searchReply,
      context.at,
    )
    const issues = readItems(reply.items, issue, context, 'github')
    yield { issues, whole: !reply.incomplete_results }
    found += issues.filter((issue) => Date.parse(issue.created_at) >= since.getTime()).length
    if (reply.items.length < PER_PAGE || page * PER_PAGE >= reply.total_count) return
  }
}
