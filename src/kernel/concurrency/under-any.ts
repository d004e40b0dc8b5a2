/**
 * Does work under a signal that is aborted with the first of `signals`, for the same reason, and once the work has
 * ended, for whatever it leaves under way. Nothing stays behind in `signals`: AbortSignal.any leaves an entry in each
 * of them for as long as it lives, which for those of a process is for good, and one for every batch of posts adds up.
 */
export async function underAny<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const joined = new AbortController()
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
