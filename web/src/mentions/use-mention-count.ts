import { useQueries } from '@tanstack/react-query'
import { useAfterFirstLoad } from '../app/first-load.ts'
import { mentionCountQuery } from '../app/mention-count.ts'
import type { ListRequest } from './use-mention-list.ts'

export interface MentionCount {
  relevant: number | undefined
  total: number | undefined
}

/** How many mentions match the filter, and how many of these are relevant. */
export function useMentionCount({ filter, viewId }: Pick<ListRequest, 'filter' | 'viewId'>): MentionCount {
  const { relevant: _, ...anyRelevance } = filter
  const base = { ...anyRelevance, ...(viewId === null ? {} : { viewId }) }
  const [total, relevant] = useQueries({
    queries: [
      { ...mentionCountQuery(base), enabled: useAfterFirstLoad() },
      mentionCountQuery({ ...base, relevant: true }),
    ],
  })
  return { total: total?.data?.total, relevant: relevant?.data?.total }
}
