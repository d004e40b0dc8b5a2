import { ownCopy } from '../../kernel/text.ts'
import type { Cursor } from '../contract.ts'
import { ShapeWatch } from '../shape-watch.ts'
import type { Message } from './read-message.ts'

/** The feed's times are not strictly ordered, and hosts differ. */
export const OVERLAP_US = 5_000_000
/** In the feed's own time: a stored cursor may be older than the newest batch. */
const WINDOW_US = 60_000_000
const KEYS_MAX = 50_000

/**
 * With the newest time and the batch's cursor. An event is a repetition only if the stored cursor covers its batch,
 * because the caller may have failed to store the last one.
 */
export type YieldedEvents = Map<string, { timeUs: number; cursorUs: number }>

export interface JetstreamCursor {
  /** Null if the event was yielded before or is of no interest. */
  take(message: Message): Extract<Message, { kind: 'read' }> | null
  /** Records the events as yielded. */
  handOver(taken: readonly Extract<Message, { kind: 'read' }>[]): Cursor
  /** True if more than half of the last 20 post events were invalid. */
  lostShape(): boolean
}

export function placeAt(startUs: number | null, yielded: YieldedEvents): JetstreamCursor {
  // Not stored, so yielded again.
  for (const [key, { cursorUs }] of yielded) if (startUs === null || cursorUs > startUs) yielded.delete(key)
  let newestUs = startUs ?? 0
  let cursorUs = startUs ?? 0
  /** The feed may repeat an event immediately. */
  const pending = new Set<string>()
  const shape = new ShapeWatch()

  return { take, handOver, lostShape: () => shape.isLost }

  function take(message: Message): Extract<Message, { kind: 'read' }> | null {
    if (message.kind === 'odd') {
      const beforeUs = (message.timeUs ?? newestUs) - 1
      shape.note(beforeUs > 0 ? beforeUs : Number.POSITIVE_INFINITY)
      return null
    }
    newestUs = Math.max(newestUs, message.timeUs)
    if (message.kind === 'other') return null
    if (message.post) shape.note(null)
    if (yielded.has(message.key) || pending.has(message.key)) return null
    pending.add(message.key)
    return message
  }

  /**
   * Holds the cursor before an invalid event until 20 later ones show an exception, so that a change of form loses
   * nothing. Cursors still grow per batch, because they identify covered batches; the overlap compensates.
   */
  function handOver(taken: readonly Extract<Message, { kind: 'read' }>[]): Cursor {
    const heldUs = Math.min(newestUs, shape.heldAt)
    cursorUs = Math.max(cursorUs + 1, heldUs)
    const batch = { timeUs: taken.reduce((newest, { timeUs }) => Math.max(newest, timeUs), 0), cursorUs }
    // Of tens of thousands of keys, concatenated ones take three times the memory.
    for (const { key } of taken) yielded.set(ownCopy(key), batch)
    pending.clear()
    evictOld()
    return { timeUs: cursorUs }
  }

  function evictOld(): void {
    for (const [key, { timeUs }] of yielded) {
      if (yielded.size <= KEYS_MAX && timeUs >= newestUs - WINDOW_US) break
      yielded.delete(key)
    }
  }
}
