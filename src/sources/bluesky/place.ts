import { ownCopy } from '../../kernel/text.ts'
import type { Cursor } from '../contract.ts'
import type { Message } from './read-message.ts'

/**
 * How far behind the cursor the feed is asked again: its times are not strictly in order, and hosts differ a little.
 */
export const OVERLAP_US = 5_000_000
/** Seen keys are kept for this much of the feed's own time: a stored cursor may be older than the newest batch. */
const REMEMBERED_US = 60_000_000
const REMEMBERED_KEYS = 50_000
/** The last so many post events are judged together. */
const JUDGED = 20

/**
 * Keys of events that were handed over, with the newest time and the cursor of the batch that carried them. An event is
 * a repetition only if that batch is covered by the stored cursor: the caller may have failed to store what was handed
 * over last.
 */
export type Memory = Map<string, { timeUs: number; cursorUs: number }>

/** Where following has got to: turns messages into fresh events and says which cursor stands behind them. */
export interface Place {
  /** The event when it is fresh, null when it was handed over before or is of no interest. */
  take(message: Message): Extract<Message, { kind: 'read' }> | null
  /** The cursor behind everything taken so far; remembers the events as handed over under it. */
  handOver(taken: readonly Extract<Message, { kind: 'read' }>[]): Cursor
  /** True when more than half of the last 20 post events were odd: the platform has changed its form. */
  lostShape(): boolean
}

export function placeAt(startUs: number | null, memory: Memory): Place {
  // What was handed over but never stored has to be handed over again.
  for (const [key, { cursorUs }] of memory) if (startUs === null || cursorUs > startUs) memory.delete(key)
  let newestUs = startUs ?? 0
  let cursorUs = startUs ?? 0
  /** Keys taken since the last batch: the feed may send an event twice in a row. */
  const pending = new Set<string>()
  /** Of the last judged events; an odd one holds the cursor in front of itself, if there is a place in front of it. */
  const verdicts: { odd: boolean; holdUs: number }[] = []

  return { take, handOver, lostShape: () => verdicts.filter(({ odd }) => odd).length * 2 > JUDGED }

  function take(message: Message): Extract<Message, { kind: 'read' }> | null {
    if (message.kind === 'odd') {
      const beforeUs = (message.timeUs ?? newestUs) - 1
      judge({ odd: true, holdUs: beforeUs > 0 ? beforeUs : Number.POSITIVE_INFINITY })
      return null
    }
    newestUs = Math.max(newestUs, message.timeUs)
    if (message.kind === 'other') return null
    if (message.post) judge({ odd: false, holdUs: Number.POSITIVE_INFINITY })
    if (memory.has(message.key) || pending.has(message.key)) return null
    pending.add(message.key)
    return message
  }

  function judge(verdict: { odd: boolean; holdUs: number }): void {
    verdicts.push(verdict)
    if (verdicts.length > JUDGED) verdicts.shift()
  }

  /**
   * The cursor waits in front of an odd event until 20 later ones have shown that it was an exception, so that nothing
   * is passed over when the form turns out to have changed. Each batch still gets a cursor greater than the one before,
   * by a microsecond if need be, because that is how a covered batch is recognised; the overlap makes up for it.
   */
  function handOver(taken: readonly Extract<Message, { kind: 'read' }>[]): Cursor {
    const heldUs = Math.min(newestUs, ...verdicts.map(({ holdUs }) => holdUs))
    cursorUs = Math.max(cursorUs + 1, heldUs)
    const batch = { timeUs: taken.reduce((newest, { timeUs }) => Math.max(newest, timeUs), 0), cursorUs }
    // A busy feed has tens of thousands in here: put together from its parts, a key would take up three times as much.
    for (const { key } of taken) memory.set(ownCopy(key), batch)
    pending.clear()
    forget()
    return { timeUs: cursorUs }
  }

  function forget(): void {
    for (const [key, { timeUs }] of memory) {
      if (memory.size <= REMEMBERED_KEYS && timeUs >= newestUs - REMEMBERED_US) break
      memory.delete(key)
    }
  }
}
