import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Delivery } from '../api/deliveries.ts'
import { newRequestId } from '../app/request-id.ts'
import { NO_PROGRESS, type ResendProgress, resendAll } from './resend-all.ts'
import { SEND, type Way } from './use-resend.ts'

interface Run {
  progress: ResendProgress | null
  total: number
  isRunning: boolean
  error: Error | null
}

/** One run over failed deliveries. Leaving the page stops it. */
export function useResendAll() {
  const client = useQueryClient()
  const stopping = useRef(new AbortController())
  const [run, setRun] = useState<Run>({ progress: null, total: 0, isRunning: false, error: null })
  useEffect(() => () => stopping.current.abort(), [])
  const change = (part: Partial<Run>) => setRun((before) => ({ ...before, ...part }))
  const begin = async (deliveries: readonly Delivery[], way: Way): Promise<void> => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    change({ progress: NO_PROGRESS, total: deliveries.length, isRunning: true, error: null })
    try {
      const progress = await resendAll({
        deliveries,
        send: (delivery) => SEND[way]({ ...delivery, requestId: newRequestId() }),
        wait: (milliseconds) => waitOr(signal, milliseconds),
        signal,
        onProgress: (told) => change({ progress: told }),
      })
      change({ progress })
    } catch (error) {
      change({ error: error as Error })
    }
    change({ isRunning: false })
    await client.invalidateQueries({ queryKey: ['deliveries', 'log'] })
  }
  return { ...run, begin, stop: () => stopping.current.abort() }
}

function waitOr(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
