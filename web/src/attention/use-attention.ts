import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type AttentionItem,
  dismissAttention,
  dismissAttentionItems,
  getAttention,
  listAttention,
} from '../api/attention.ts'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

const PAGE = 50

export function useItems(status: AttentionItem['status']) {
  const list = useInfiniteQuery({
    queryKey: ['attention', 'list', status],
    queryFn: ({ pageParam, signal }) =>
      listAttention({ status: [status], limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return { list, items: list.data?.pages.flatMap(({ data }) => data) ?? [] }
}

/** An item of a link, which may be closed; asked for when the list lacks it. */
export function useLinkedItem(id: string | null, isListed: boolean) {
  return useQuery({
    queryKey: ['attention', 'item', id],
    queryFn: ({ signal }) => getAttention(id ?? '', signal),
    enabled: id !== null && !isListed,
  })
}

export function useDismissal(onDismissed: (ids: readonly string[]) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids: string[]) => {
      if (ids.length === 1) await dismissAttention(ids[0]!)
      else await dismissAttentionItems(ids)
    },
    onSuccess: (_, ids) => {
      showToast({ text: ids.length === 1 ? words.dismissed : words.dismissedAll(ids.length) })
      onDismissed(ids)
      return client.invalidateQueries({ queryKey: ['attention'] })
    },
  })
}
