import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { Mention, MentionCountQuery, MentionPage } from '../api/mentions.ts'
import { COUNT_KEY } from '../app/mention-count.ts'
import { fits } from './fits.ts'

export interface Changed {
  before: Mention
  after: Mention
}

/** What changes with triage, and how a list is sorted. */
const CHANGING = ['status', 'relevant', 'unassigned', 'assigneeId', 'snoozed', 'sort']
const NO_CONDITIONS = hashKey([{}])

/** Changes the counts that this tab holds by what changed in it, so that it need not count anew at once. */
export function reckonCounts(
  client: QueryClient,
  lists: readonly (readonly [request: object, pages: InfiniteData<MentionPage> | undefined])[],
  changes: readonly Changed[],
): void {
  const held = lists.map(([request, pages]) => ({
    conditions: lastingConditions(request),
    ids: new Set(pages?.pages.flatMap(({ data }) => data.map(({ id }) => id))),
  }))
  for (const [key, count] of client.getQueriesData<{ total: number }>({ queryKey: COUNT_KEY })) {
    const query = key[COUNT_KEY.length]
    if (count === undefined || typeof query !== 'object') continue
    const conditions = lastingConditions(query as object)
    const isCounted = ({ before: { id } }: Changed) =>
      conditions === NO_CONDITIONS || held.some((list) => list.conditions === conditions && list.ids.has(id))
    const difference = changes.filter(isCounted).reduce((sum, change) => sum + differenceOf(change, query as object), 0)
    if (difference !== 0) client.setQueryData(key, { ...count, total: count.total + difference })
  }
}

function lastingConditions(request: object): string {
  return hashKey([Object.fromEntries(Object.entries(request).filter(([name]) => !CHANGING.includes(name)))])
}

function differenceOf({ before, after }: Changed, query: MentionCountQuery): number {
  return Number(fits(after, query)) - Number(fits(before, query))
}
