import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Delivery, searchDeliveries } from '../api/deliveries.ts'
import { useLive } from '../app/use-live.ts'
import { type LogQuery, requestOf } from './log-query.ts'

const PAGE = 50
/** Changes that come together cost one request. */
const COLLECT_MS = 2000

const LOG_KEY = ['deliveries', 'log'] as const

export function useLog(query: LogQuery) {
  const request = requestOf(query)
  const log = useInfiniteQuery({
    queryKey: [...LOG_KEY, request],
    queryFn: ({ pageParam, signal }) =>
      searchDeliveries({ ...request, limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })
  useLiveLog()
  return { log, deliveries: log.data?.pages.flatMap(({ data }) => data) ?? [] }
}

/** Reads what is shown of the log again when deliveries change. */
function useLiveLog(): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  useLive(['delivery.changed'], () => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      void client.invalidateQueries({ queryKey: ['deliveries'] })
      void client.invalidateQueries({ queryKey: ['delivery'] })
    }, COLLECT_MS)
  })
}

interface Split {
  shown: readonly Delivery[]
  fresh: number
}

/** Apart: what was there when the list was last brought up to date, and how many came since. */
export function splitAt(deliveries: readonly Delivery[], newest: string | null): Split {
  if (newest === null) return { shown: deliveries, fresh: 0 }
  const shown = deliveries.filter(({ createdAt }) => createdAt <= newest)
  return { shown, fresh: deliveries.length - shown.length }
}

/**
 * New deliveries come in by themselves while nobody reads one. Otherwise they are counted, so that no row moves under
 * the pointer.
 */
export function useFresh(deliveries: readonly Delivery[], key: string, isReading: boolean) {
  const [seen, setSeen] = useState<{ key: string; newest: string } | null>(null)
  const newest = deliveries[0]?.createdAt ?? null
  const load = () => setSeen(newest === null ? null : { key, newest })
  const isSame = seen?.key === key
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these say that the list is brought up to date
  useEffect(() => {
    if (!isReading || !isSame) load()
  }, [isReading, isSame, newest])
  return { ...splitAt(deliveries, isReading && isSame ? seen.newest : null), load }
}
