import type { Clock } from '../kernel/clock.ts'

/** The time for a piece of work was over before it was done. */
export class TimeUp extends Error {
  constructor(limitMs: number) {
    super(`not done within ${limitMs} ms`)
    this.name = 'TimeUp'
  }
}

/**
 * Does `work` for at most `limitMs`; then, or when `signal` is aborted, it fails at once with TimeUp or the signal's
 * reason, whether or not the work heeds the signal that it was handed.
 */
export async function withinTime<Result>(
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const settled = new AbortController()
  const stop = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const ended = new Promise<never>((_, reject) =>
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true }),
  )
  void clock.wait(limitMs, settled.signal).then(() => {
    if (!settled.signal.aborted) ending.abort(new TimeUp(limitMs))
  })
  try {
    return await Promise.race([work(ending.signal), ended])
  } finally {
    settled.abort()
    signal?.removeEventListener('abort', stop)
  }
}
