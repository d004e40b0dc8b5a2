import { Condition } from '../kernel/concurrency/condition.ts'
import type { LogMessage, LogState, MessageLog } from './message-log.ts'

/** Logs in memory, for tests. Keeps as many bytes of messages as it is told. */
export class MemoryLog implements MessageLog {
  private readonly keptBytes: number
  private readonly logs = new Map<string, Kept>()
  private readonly changed = new Condition()
  private made = 0

  constructor(keptBytes = Number.POSITIVE_INFINITY) {
    this.keptBytes = keptBytes
  }

  async prepare(name: string): Promise<void> {
    if (this.logs.has(name)) return
    this.made += 1
    this.logs.set(name, { id: `log ${this.made}`, messages: [], ids: new Map(), last: 0, bytes: 0 })
  }

  async state(name: string): Promise<LogState | null> {
    const kept = this.logs.get(name)
    return kept
      ? { id: kept.id, first: kept.messages[0]?.number ?? kept.last + 1, last: kept.last, bytes: kept.bytes }
      : null
  }

  async read(name: string, number: number): Promise<LogMessage | null> {
    return this.logs.get(name)?.messages.find((message) => message.number === number) ?? null
  }

  async append(name: string, { id, data }: { id: string; data: Uint8Array }, after: number): Promise<number | null> {
    const kept = this.logs.get(name)!
    const earlier = kept.ids.get(id)
    if (earlier !== undefined) return earlier
    if (kept.last !== after) return null
    kept.last += 1
    kept.ids.set(id, kept.last)
    kept.messages.push({ number: kept.last, data })
    kept.bytes += data.length
    while (kept.bytes > this.keptBytes) kept.bytes -= kept.messages.shift()!.data.length
    this.changed.notify()
    return kept.last
  }

  async *follow(name: string, from: number, signal: AbortSignal): AsyncIterable<LogMessage> {
    let next = from
    while (!signal.aborted) {
      const message = this.logs.get(name)?.messages.find(({ number }) => number >= next)
      if (message) {
        next = message.number + 1
        yield message
      } else await this.changed.until(() => (this.logs.get(name)?.last ?? 0) >= next, signal)
    }
  }

  /** As if the log had never been. */
  forget(name: string): void {
    this.logs.delete(name)
  }

  /** As after a fall of a server that had not written everything: its next message has the same number. */
  loseNewest(name: string): void {
    const kept = this.logs.get(name)!
    kept.bytes -= kept.messages.pop()!.data.length
    kept.last -= 1
  }

  async describe(): Promise<string> {
    return 'memory'
  }

  async close(): Promise<void> {}
}

interface Kept {
  id: string
  messages: LogMessage[]
  ids: Map<string, number>
  last: number
  bytes: number
}
