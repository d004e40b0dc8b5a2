import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listMentions, type Mention } from '../api/mentions.ts'
import type { Filter, Sort } from '../app/filter/filter-params.ts'
import { fits } from './fits.ts'
import { LIST_KEY } from './mention-cache.ts'

const FIRST_PAGE = 50
const NEXT_PAGE = 100
/** Mentions that a tab holds. */
const HELD = 5000

export interface ListRequest {
  filter: Filter
  sort: Sort
  viewId: string | null
}

export interface MentionList {
  mentions: readonly Mention[]
  isLoading: boolean
  isStale: boolean
  isFull: boolean
  hasMore: boolean
  error: Error | null
  loadMore: () => void
  reload: () => void
}

/** Pages of mentions, each under the cursor that asked for it. What no longer fits the filter is left out at once. */
export function useMentionList({ filter, sort, viewId }: ListRequest): MentionList {
  const request = { ...filter, sort, ...(viewId === null ? {} : { viewId }) }
  const query = useInfiniteQuery({
    queryKey: [...LIST_KEY, request],
    queryFn: ({ pageParam: cursor, signal }) =>
      listMentions(
        cursor === null ? { ...request, limit: FIRST_PAGE } : { ...request, limit: NEXT_PAGE, cursor },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, isPending, isPlaceholderData, error, hasNextPage, isFetchingNextPage } = query
  const loaded = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const mentions = useMemo(() => loaded.filter((mention) => fits(mention, filter)), [loaded, filter])
  const isFull = loaded.length >= HELD
  return {
    mentions,
    isLoading: isPending,
    isStale: isPlaceholderData,
    isFull,
    hasMore: hasNextPage,
    error,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage && !isFull) void query.fetchNextPage()
    },
    reload: () => void query.refetch(),
  }
}
