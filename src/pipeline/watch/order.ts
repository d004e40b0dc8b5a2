import type { Clock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

/**
 * Keywords are read by two at the same time: changes as they are heard of, and sweeps over everything. What either
 * reads may be put in place after what the other read later. This keeps the later state in place, whoever read it.
 */
export interface KeywordOrder {
  /** The number of a reading, drawn right before its statement is sent. */
  sent(): number
  /** From here to `endSweep`, what changes put in place is left alone by the sweep, which may have read it before. */
  beginSweep(): void
  endSweep(): void
  /** Whether a change has put this keyword in place since the sweep began. */
  isFresh(id: Uuid): boolean
  noteFresh(id: Uuid): void
  /** What a sweep read with this number is being put in place. */
  noteSwept(sent: number): void
  /**
   * Whether a sweep has put in place what it read after this reading was sent; then the reading has to be done again.
   */
  isOvertaken(sent: number): boolean
}

export function createOrder(): KeywordOrder {
  const fresh = new Set<string>()
  let last = 0
  let swept = 0
  let sweeping = false
  return {
    sent() {
      last += 1
      return last
    },
    beginSweep() {
      sweeping = true
    },
    endSweep() {
      sweeping = false
      fresh.clear()
    },
    isFresh: (id) => fresh.has(id),
    noteFresh(id) {
      if (sweeping) fresh.add(id)
    },
    noteSwept(sent) {
      swept = Math.max(swept, sent)
    },
    isOvertaken: (sent) => swept > sent,
  }
}

/** What has to stand still now and then, for a moment, so that it can be written down as a whole. */
export interface Gate {
  /** To be awaited right before every change, which may then be made without another wait in between. */
  pass(): Promise<void>
  close(): void
  open(): void
  /** How long somebody has been waiting to pass, in milliseconds; 0 when nobody is. */
  waitingMs(): number
}

export function createGate(clock: Clock): Gate {
  let opened: { promise: Promise<void>; open: () => void } | null = null
  let waitingSinceMs: number | null = null
  return {
    async pass() {
      while (opened) {
        waitingSinceMs ??= clock.monotonicMs()
        await opened.promise
      }
    },
    close() {
      let open: () => void = () => undefined
      const promise = new Promise<void>((resolve) => {
        open = resolve
      })
      opened = { promise, open }
    },
    open() {
      opened?.open()
      opened = null
      waitingSinceMs = null
    },
    waitingMs: () => (waitingSinceMs === null ? 0 : clock.monotonicMs() - waitingSinceMs),
  }
}
