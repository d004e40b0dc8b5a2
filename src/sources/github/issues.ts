import type { CollectContext, SearchQuery } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { API, ask } from './ask.ts'
import { type Issue, issue, searchReply } from './wire.ts'

const PER_PAGE = 100
/** The platform serves the first 1,000 hits of a query. */
const MAX_PAGES = 10
/** Positions of matches tell comments from texts. */
const WITH_MATCHES = 'application/vnd.github.text-match+json'

export interface FoundIssues {
  issues: Issue[]
  whole: boolean
}

/** Last updated first, until `limit` were written since `since`: a later post is always on an earlier page. */
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
