import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Database } from '../../store/database.ts'
import { LIMITS_CHANNEL, notifyLimits } from '../../store/limit-counts.ts'
import type { CountingAlone } from './counting-alone.ts'
import {
  KEY_CHARACTERS,
  type LimitMessage,
  type LimitNews,
  parseLimitMessage,
  writeLimitMessages,
} from './limit-messages.ts'
import type { SlidingWindows } from './sliding-window.ts'

/** Interval at which a process sends its new grants to its peers. */
export const EXCHANGE_MS = SECOND_MS
/** Unsent grants of one key that start an exchange before the interval is over. */
export const EARLY_GRANTS = 20
/** Pause after an exchange. */
export const EXCHANGE_GAP_MS = 50
/** Interval at which a process without new grants shows its peers that it runs. */
const HEARTBEAT_MS = 5 * SECOND_MS
/** A peer that was silent for so long has stopped. */
export const PEER_EXPIRES_MS = 15 * SECOND_MS
/** The notifications of a process reach nobody if they do not come back to it within this time. */
const ECHO_WITHIN_MS = 5 * SECOND_MS
/** Resolution of the ages at which a new peer gets the grants of the last minute. */
const AGE_STEP_MS = 10 * SECOND_MS
/** Peers that get all counts in one exchange. Their ids must fit a notification. */
const ANSWERED_AT_ONCE = 50
/** Keys with unsent grants; grants of further keys are not sent. */
const UNSENT_KEYS = 50_000

/** Carries messages to all listeners, including the sender, in one order. */
export interface LimitChannel {
  send(messages: readonly string[]): Promise<void>
  /** Calls `connected` whenever messages may have been missed, also for the first connection. */
  listen(received: (message: string) => void, connected: () => void, signal: AbortSignal): void
}

export function channelOn(db: Database): LimitChannel {
  return {
    send: (messages) => notifyLimits(db, messages),
    listen: (received, connected, signal) => db.listen(LIMITS_CHANNEL, received, connected, signal),
  }
}

interface ExchangeParts {
  id: Uuid
  channel: LimitChannel
  clock: Clock
  alone: CountingAlone
  /** Receives the number of peers. */
  onPeers(count: number): void
}

/** Exchanges the grants of this process with its peers. A process without peers sends only a question at its start. */
export class LimitExchange {
  private readonly parts: ExchangeParts
  private readonly wakeUp: WakeUp
  private windows: SlidingWindows | null = null
  /** With the time of the last message of each. */
  private readonly peers = new Map<Uuid, number>()
  private unsent = new Map<string, number>()
  /** New peers, which need all counts. */
  private readonly newPeers = new Set<Uuid>()
  /** Whether this process needs the counts of all peers. */
  private isNew = false
  private number = 0
  private askedWith = 0
  private sentAtMs = 0
  /** A sent message that has not come back yet. */
  private pendingEcho: { number: number; sinceMs: number } | null = null

  constructor(parts: ExchangeParts) {
    this.parts = parts
    this.wakeUp = new WakeUp(parts.clock)
  }

  /** Notes a grant of this process, or one that was given back. */
  readonly granted = (key: string, change: 1 | -1): void => {
    if (this.peers.size === 0 || key.length > KEY_CHARACTERS) return
    const count = (this.unsent.get(key) ?? 0) + change
    if (count === 0) this.unsent.delete(key)
    else if (this.unsent.size < UNSENT_KEYS || this.unsent.has(key)) this.unsent.set(key, count)
    if (count >= EARLY_GRANTS) this.wakeUp.wake()
  }

  async run(windows: SlidingWindows, signal: AbortSignal): Promise<void> {
    const { channel, clock } = this.parts
    this.windows = windows
    channel.listen(this.receive, this.connected, signal)
    while (!signal.aborted) {
      await this.wakeUp.sleep(EXCHANGE_MS, signal)
      if (signal.aborted) return
      await this.exchange()
      await clock.wait(EXCHANGE_GAP_MS, signal)
    }
  }

  private readonly connected = (): void => {
    this.isNew = true
    this.wakeUp.wake()
  }

  private readonly receive = (payload: string): void => {
    const message = parseLimitMessage(payload)
    if (message === null) return
    if (message.from === this.parts.id) this.receiveOwn(message)
    else this.receiveFromPeer(message)
  }

  private receiveFromPeer(message: LimitMessage): void {
    const nowMs = this.parts.clock.monotonicMs()
    const isNew = !this.peers.has(message.from)
    this.peers.set(message.from, nowMs)
    if (isNew || message.isNew) {
      this.newPeers.add(message.from)
      this.wakeUp.wake()
    }
    if (message.to !== undefined && message.to !== this.parts.id) return
    if (message.except?.includes(this.parts.id)) return
    const atMs = nowMs - (message.agoMs ?? 0)
    for (const [key, count] of Object.entries(message.counts ?? {}))
      this.windows!.of(key, nowMs).addFromPeer(count, atMs, nowMs)
  }

  private receiveOwn(message: LimitMessage): void {
    const sinceMs = this.parts.clock.monotonicMs()
    if (this.pendingEcho !== null && message.number >= this.pendingEcho.number)
      this.pendingEcho = message.number < this.number ? { number: this.number, sinceMs } : null
    this.parts.alone.ends('exchanged')
    // The answers of the peers follow, and include everything from before the question.
    if (message.number === this.askedWith) for (const window of this.windows!.entries().values()) window.forgetPeers()
  }

  private async exchange(): Promise<void> {
    const nowMs = this.parts.clock.monotonicMs()
    this.forgetStoppedPeers(nowMs)
    if (this.pendingEcho !== null && nowMs - this.pendingEcho.sinceMs >= ECHO_WITHIN_MS) {
      this.parts.alone.begins('exchanged', new Error('the notifications of this process do not come back to it'))
      this.pendingEcho = null
      this.isNew = true
    }
    const { messages, undo } = this.takeMessages(nowMs)
    if (messages.length === 0) return
    this.sentAtMs = nowMs
    this.pendingEcho ??= { number: this.number, sinceMs: nowMs }
    try {
      await this.parts.channel.send(messages)
    } catch (error) {
      undo()
      this.parts.alone.begins('exchanged', error)
    }
  }

  private forgetStoppedPeers(nowMs: number): void {
    for (const [id, receivedMs] of this.peers) if (nowMs - receivedMs >= PEER_EXPIRES_MS) this.peers.delete(id)
    this.parts.onPeers(this.peers.size)
    if (this.peers.size === 0) this.unsent.clear()
  }

  /** Everything that is due. `undo` makes it due again. */
  private takeMessages(nowMs: number): { messages: string[]; undo(): void } {
    const { unsent, isNew } = this
    const newPeers = [...this.newPeers].slice(0, ANSWERED_AT_ONCE)
    const write = (news: LimitNews, counts: ReadonlyMap<string, number>) =>
      writeLimitMessages(this.parts.id, news, counts, () => ++this.number)
    const messages: string[] = []
    if (isNew) {
      messages.push(...write({ isNew }, new Map()))
      this.askedWith = this.number
    }
    const isDue = unsent.size > 0 || nowMs - this.sentAtMs >= HEARTBEAT_MS
    if (this.peers.size > 0 && isDue) messages.push(...write(newPeers.length > 0 ? { except: newPeers } : {}, unsent))
    for (const to of newPeers)
      for (const [step, counts] of this.ownByAge(nowMs).entries())
        if (counts.size > 0 || step === 0) messages.push(...write({ to, agoMs: step * AGE_STEP_MS }, counts))
    this.unsent = new Map()
    for (const id of newPeers) this.newPeers.delete(id)
    this.isNew = false
    const undo = () => {
      for (const [key, count] of unsent) this.unsent.set(key, (this.unsent.get(key) ?? 0) + count)
      for (const id of newPeers) this.newPeers.add(id)
      this.isNew ||= isNew
    }
    return { messages, undo }
  }

  /** The grants of this process that count now, for each step of age. */
  private ownByAge(nowMs: number): Map<string, number>[] {
    const { windowMs } = this.windows!
    const byAge = Array.from({ length: Math.ceil(windowMs / AGE_STEP_MS) }, () => new Map<string, number>())
    for (const [key, window] of this.windows!.entries()) {
      if (key.length > KEY_CHARACTERS) continue
      for (const [step, count] of window.ownByAge(nowMs, AGE_STEP_MS).entries())
        if (count > 0) byAge[step]!.set(key, count)
    }
    return byAge
  }
}
