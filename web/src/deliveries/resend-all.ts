import type { Delivery } from '../api/deliveries.ts'
import { ApiError } from '../api/errors.ts'

/** A limit of 300 requests a minute for each person leaves room for the pages beside. */
const PACE_MS = 300

export interface ResendProgress {
  sent: number
  /** How many were refused, by the reason. */
  refused: ReadonlyMap<string, number>
  /** Seconds until it goes on, where the limit of requests is reached. */
  waitSeconds: number | null
}

export const NO_PROGRESS: ResendProgress = { sent: 0, refused: new Map(), waitSeconds: null }

export function doneOf({ sent, refused }: ResendProgress): number {
  return [...refused.values()].reduce((total, count) => total + count, sent)
}

interface Resending {
  deliveries: readonly Delivery[]
  send: (delivery: Delivery) => Promise<unknown>
  /** Resolves early when the person stops. */
  wait: (milliseconds: number) => Promise<void>
  signal: AbortSignal
  onProgress: (progress: ResendProgress) => void
}

/** Sends deliveries again, one after the other. A refusal is counted by its reason, and the others go on. */
export async function resendAll({ deliveries, send, wait, signal, onProgress }: Resending): Promise<ResendProgress> {
  let progress = NO_PROGRESS
  const waiting = [...deliveries]
  while (waiting.length > 0 && !signal.aborted) {
    const outcome = await attemptOf(() => send(waiting[0]!))
    const waitSeconds = outcome instanceof ApiError ? outcome.retryAfterSeconds : null
    progress = waitSeconds === null ? counted(progress, outcome) : { ...progress, waitSeconds }
    onProgress(progress)
    if (waitSeconds === null) waiting.shift()
    if (waiting.length > 0) await wait(waitSeconds === null ? PACE_MS : waitSeconds * 1000)
  }
  return { ...progress, waitSeconds: null }
}

async function attemptOf(send: () => Promise<unknown>): Promise<ApiError | null> {
  try {
    await send()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function counted({ sent, refused }: ResendProgress, error: ApiError | null): ResendProgress {
  if (error === null) return { sent: sent + 1, refused, waitSeconds: null }
  const count = refused.get(error.message) ?? 0
  return { sent, refused: new Map([...refused, [error.message, count + 1]]), waitSeconds: null }
}
