import { useQueries } from '@tanstack/react-query'
import { countMentions } from '../api/mentions.ts'
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
    queries: [base, { ...base, relevant: true }].map((request) => ({
      queryKey: ['mentions', 'count', request],
      queryFn: ({ signal }: { signal: AbortSignal }) => countMentions(request, signal),
    })),
  })
  return { total: total?.data?.total, relevant: relevant?.data?.total }
}
