import type { Platform } from '../../src/domain/platform/platforms.ts'
import type { CollectContext, Cursor, LiveSource, SourceBatch, SourceEvent } from '../../src/sources/contract.ts'

/**
 * A live source whose batches a test writes down; like a platform it remembers them all and goes on behind any cursor.
 */
export interface Tape {
  source: LiveSource
  /** Adds one batch. */
  add(...events: SourceEvent[]): void
  /** Ends the open feed, or the next one, with an error. Called again, it does so once more. */
  breakWith(error: Error): void
  /** The cursors with which the feed was opened, as the number of batches behind; null for the present. */
  readonly opened: (number | null)[]
  /** Batches handed over so far, repeated ones included. */
  readonly handedOver: number
}

export function createTape(platform: Platform = 'bluesky'): Tape {
  const batches: SourceEvent[][] = []
  const errors: Error[] = []
  const opened: (number | null)[] = []
  let handedOver = 0
  /** Those who wait for the next batch; several processes may follow one platform. */
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const go of waiting) go()
    waiting.clear()
  }

  async function* follow({ signal }: CollectContext, cursor: Cursor | null): AsyncIterable<SourceBatch> {
    const start = cursor === null ? null : Number(cursor['batches'])
    opened.push(start)
    signal.addEventListener('abort', wake)
    try {
      for (let next = start ?? 0; !signal.aborted; ) {
        const error = errors.shift()
        if (error) throw error
        const events = batches[next]
        if (events === undefined) {
          await new Promise<void>((resolve) => void waiting.add(resolve))
          continue
        }
        next += 1
        handedOver += 1
        yield { events, cursor: { batches: next } }
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }
  return {
    source: { platform, hosts: [], limits: [], mode: 'live', follow },
    add(...events) {
      batches.push(events)
      wake()
    },
    breakWith(error) {
      errors.push(error)
      wake()
    },
    opened,
    get handedOver() {
      return handedOver
    },
  }
}
