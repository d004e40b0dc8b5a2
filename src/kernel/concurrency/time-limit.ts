import type { Clock } from '../clock.ts'

export class TimeUp extends Error {
  constructor(limitMs: number) {
    super(`not done within ${limitMs} ms`)
    this.name = 'TimeUp'
  }
}

/**
 * Runs `work` for at most `limitMs`. On the limit or an abort of `signal`, rejects at once, even if the work ignores
 * its signal.
 */
export async function withinTime<Result>(
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const stop = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const ended = new Promise<never>((_, reject) =>
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true }),
  )
  const cancel = clock.alarm(limitMs, () => ending.abort(new TimeUp(limitMs)))
  try {
    return await Promise.race([work(ending.signal), ended])
  } finally {
    cancel()
    signal?.removeEventListener('abort', stop)
  }
}
