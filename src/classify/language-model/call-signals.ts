import { setMaxListeners } from 'node:events'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'

/** Time for a call after a caller aborts, because a paid answer is worth caching. */
const GRACE_MS = 5 * SECOND_MS

export interface LinkedSignal {
  signal: AbortSignal
  release(): void
}

/** Aborted GRACE_MS after the last abort of a mention, and at once with `closing`. */
export function signalOfCall(
  mentionSignals: ReadonlySet<AbortSignal>,
  closing: AbortSignal,
  clock: Clock,
): LinkedSignal {
  const ending = new AbortController()
  let cancel = () => {}
  const end = () => ending.abort()
  const endSoon = () => {
    cancel()
    cancel = clock.alarm(GRACE_MS, end)
  }
  for (const signal of mentionSignals) {
    if (signal.aborted) endSoon()
    else signal.addEventListener('abort', endSoon, { once: true })
  }
  closing.addEventListener('abort', end, { once: true })
  const release = () => {
    cancel()
    for (const signal of mentionSignals) signal.removeEventListener('abort', endSoon)
    closing.removeEventListener('abort', end)
  }
  return { signal: ending.signal, release }
}

/** Aborted with either signal. Any number of mentions may listen to the returned signal. */
export function eitherSignal(caller: AbortSignal, closing: AbortSignal): LinkedSignal {
  const either = new AbortController()
  setMaxListeners(0, either.signal)
  const abort = () => either.abort(caller.aborted ? caller.reason : closing.reason)
  caller.addEventListener('abort', abort, { once: true })
  closing.addEventListener('abort', abort, { once: true })
  const release = () => {
    caller.removeEventListener('abort', abort)
    closing.removeEventListener('abort', abort)
  }
  return { signal: either.signal, release }
}
