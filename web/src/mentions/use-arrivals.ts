import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { listMentions, type Mention } from '../api/mentions.ts'
import { useSession } from '../app/session.ts'
import { useLive } from '../app/use-live.ts'
import { LIST_KEY, MentionCache } from './mention-cache.ts'
import type { ListRequest } from './use-mention-list.ts'

/** Milliseconds in which changes are collected, so that a busy workspace costs few requests. */
const COLLECT_MS = 4000
/** Ids that one request asks for. */
const ASKED = 100

export interface Arrivals {
  count: number
  /** Shows the new mentions. */
  load: () => void
}

/**
 * New mentions that match the list, counted and not shown until somebody wants them, so that no row moves under the
 * pointer. Changes by colleagues are shown at once.
 */
export function useArrivals({ filter, sort, viewId }: ListRequest): Arrivals {
  const client = useQueryClient()
  const { user } = useSession()
  const [arrived, setArrived] = useState<readonly Mention[]>([])
  const request = { ...filter, sort, ...(viewId === null ? {} : { viewId }) }
  const key = JSON.stringify(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other arrivals
  useEffect(() => setArrived([]), [key])
  const collect = useCollector(async (ids) => {
    const cache = new MentionCache(client)
    const { data } = await listMentions({ ...request, ids, limit: ASKED }, new AbortController().signal)
    cache.replace(data)
    const isNew = ({ id }: Mention) => cache.find(id) === undefined
    setArrived((before) => [
      ...data.filter((mention) => isNew(mention) && !before.some(({ id }) => id === mention.id)),
      ...before,
    ])
  })
  useLive(['mention.scored'], ({ ids }) => collect(ids ?? []))
  useLive(['mention.triaged'], ({ ids, by }) => {
    if (by !== user.id) collect((ids ?? []).filter((id) => new MentionCache(client).find(id) !== undefined))
  })
  return {
    count: arrived.length,
    load: () => {
      setArrived([])
      void client.resetQueries({ queryKey: [...LIST_KEY, request] })
    },
  }
}

/** Collects ids and hands them on together. */
function useCollector(ask: (ids: string[]) => Promise<void>): (ids: readonly string[]) => void {
  const newest = useRef(ask)
  newest.current = ask
  const waiting = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return (ids) => {
    for (const id of ids) waiting.current.add(id)
    if (waiting.current.size === 0 || timer.current !== null) return
    timer.current = setTimeout(() => {
      timer.current = null
      const asked = [...waiting.current].slice(0, ASKED)
      for (const id of asked) waiting.current.delete(id)
      newest.current(asked).catch((error: unknown) => {
        // The list shows its own failures; what was missed comes with its next load.
        if (!(error instanceof ApiError)) throw error
      })
    }, COLLECT_MS)
  }
}
