import { setMaxListeners } from 'node:events'

/**
 * Runs work under a signal that any of `signals` aborts, and that is aborted when the work ends. AbortSignal.any would
 * leave an entry in each signal for its lifetime, which adds up for signals of the process.
 */
export async function underAny<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const joined = new AbortController()
  // Work may run many parts at once, and each listens.
  setMaxListeners(0, joined.signal)
  const end = () => joined.abort(signals.find(({ aborted }) => aborted)?.reason)
  for (const signal of signals) signal.addEventListener('abort', end, { once: true })
  if (signals.some(({ aborted }) => aborted)) end()
  try {
    return await work(joined.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end)
    joined.abort()
  }
}
