import type { Clock } from '../clock.ts'
import { underAny } from './under-any.ts'

/** True when `promise` settled before time and abort; rejects with it. Leaves no timer behind. */
export async function waitAtMost(
  promise: Promise<unknown>,
  milliseconds: number,
  clock: Pick<Clock, 'wait'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const cutting = new AbortController()
  let hasCome = false
  const come = promise.then(() => {
    hasCome = true
  })
  try {
    await Promise.race([
      come,
      underAny(signal === undefined ? [cutting.signal] : [signal, cutting.signal], (ending) =>
        clock.wait(milliseconds, ending),
      ),
    ])
    return hasCome
  } finally {
    cutting.abort()
  }
}
