import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import { type CollectContext, SourceFault } from '../contract.ts'
import { readItems } from '../read-items.ts'
import { ask, type HomeServer } from './api.ts'
import { arrivalMsOf, idBefore, isId, laterId } from './ids.ts'
import type { PagePace } from './page-pace.ts'
import { page, placed, type Status, status } from './wire.ts'

export interface ServerPage {
  server: string
  /** Oldest first; empty when the server has caught up. */
  statuses: Status[]
}

export interface CatchUpOptions {
  context: CollectContext
  clock: Clock
  home: HomeServer | null
  pace: PagePace
  /** Unix milliseconds of the present. */
  nowMs(): number
  /** A post reaches servers and stream this much apart. */
  settleMs: number
}

interface Position {
  /** Posts up to this id were read. */
  id: string
  dueMs: number
  failures: number
  /** From then on an empty page means that nothing is missing. Infinite without a stream. */
  settledMs: number
}

const PAGE_POSTS = 40
/** Servers and stream receive a post at different times. */
export const OVERLAP_MS = 2 * MINUTE_MS
/** Six hours of a busy server are five hours of reading. */
const LONGEST_GAP_MS = 6 * HOUR_MS
const LONGEST_SLEEP_MS = 5 * SECOND_MS

/** Reads from the timelines of servers what the stream has missed, page by page. */
export class CatchUp {
  private readonly options: CatchUpOptions
  private readonly positions = new Map<string, Position>()
  private readonly changed = new Condition()

  constructor(options: CatchUpOptions) {
    this.options = options
  }

  /** `server|id` of each server that still misses posts. */
  get cursor(): string[] {
    return [...this.positions].map(([server, { id }]) => `${server}|${id}`)
  }

  /** `after` is an id of the server. Without a stream the pages end at the present and stay unfinished. */
  begin(server: string, after: string, hasStream: boolean): void {
    const { clock, nowMs, settleMs, pace } = this.options
    const earliest = idBefore(nowMs() - LONGEST_GAP_MS)
    if (laterId(after, earliest) !== after) this.tellOfGap(server, after)
    const settledMs = hasStream ? nowMs() + settleMs : Number.POSITIVE_INFINITY
    const dueMs = clock.monotonicMs() + pace.waitMs(server)
    this.positions.set(server, { id: laterId(after, earliest), dueMs, failures: 0, settledMs })
    this.changed.notify()
  }

  /** Reads again from `sinceMs` what no other reading covers, a little later. */
  repair(servers: readonly string[], sinceMs: number): void {
    const { settleMs } = this.options
    for (const server of servers) {
      if (this.positions.has(server)) continue
      this.begin(server, idBefore(sinceMs - OVERLAP_MS), true)
      this.positions.get(server)!.dueMs += Math.min(settleMs, LONGEST_SLEEP_MS)
    }
  }

  /** Goes on until `over` is aborted and the next page would have to be waited for. */
  async *pages(over: AbortSignal): AsyncIterable<ServerPage> {
    const { clock, context } = this.options
    while (!context.signal.aborted) {
      await this.changed.until(() => this.positions.size > 0, over)
      const next = this.nextDue()
      const waitMs = next === null ? 0 : next[1].dueMs - clock.monotonicMs()
      if (next === null || (waitMs > 0 && over.aborted)) return
      if (waitMs > 0) await clock.wait(Math.min(waitMs, LONGEST_SLEEP_MS), over)
      else {
        const read = await this.read(...next)
        if (read !== null) yield read
      }
    }
  }

  private nextDue(): [string, Position] | null {
    const [first] = [...this.positions].sort(([, a], [, b]) => a.dueMs - b.dueMs)
    return first ?? null
  }

  private async read(server: string, position: Position): Promise<ServerPage | null> {
    const { context, home } = this.options
    const address = `https://${server}/api/v1/timelines/public?limit=${PAGE_POSTS}&min_id=${position.id}`
    try {
      this.options.pace.charge(server)
      const raw = await ask(context, address, page, home)
      const statuses = readItems(raw, status, context, 'mastodon', { part: { server } }).reverse()
      position.failures = 0
      this.advance(server, position, raw)
      return statuses.length > 0 || !this.positions.has(server) ? { server, statuses } : null
    } catch (error) {
      if (!(error instanceof SourceFault) || context.signal.aborted) throw error
      this.postpone(server, position, error)
      return null
    }
  }

  /** A page may be short of filtered posts, so only an empty one is the end. */
  private advance(server: string, position: Position, raw: readonly unknown[]): void {
    const { clock, nowMs, pace } = this.options
    const ids = raw.map((item) => placed.safeParse(item).data?.id ?? '').filter(isId)
    const before = position.id
    position.id = ids.reduce(laterId, before)
    const isOver = position.id === before
    const reachedMs = arrivalMsOf(position.id, Number.POSITIVE_INFINITY) ?? 0
    const nowAtMs = nowMs()
    if (isOver ? nowAtMs >= position.settledMs : reachedMs >= position.settledMs) this.positions.delete(server)
    else if (isOver || (position.settledMs === Number.POSITIVE_INFINITY && raw.length < PAGE_POSTS))
      position.dueMs = clock.monotonicMs() + position.settledMs - nowAtMs
    else position.dueMs = clock.monotonicMs() + pace.waitMs(server)
  }

  private postpone(server: string, position: Position, fault: SourceFault): void {
    const { context, clock, nowMs } = this.options
    position.failures += 1
    const first = fault.kind === 'credentials' || fault.kind === 'gone' ? MINUTE_MS : SECOND_MS
    const ownMs = Math.min(HOUR_MS, first * 2 ** Math.min(position.failures - 1, 12))
    const waitMs = Math.max(ownMs, (fault.retryAfterSeconds ?? 0) * SECOND_MS)
    position.dueMs = clock.monotonicMs() + waitMs
    context.log.warn(
      { event: 'source.catch_up_failed', err: fault, platform: 'mastodon', server, waitMs },
      'Posts of a break cannot be read now; will retry',
    )
    const sinceMs = arrivalMsOf(position.id, Number.POSITIVE_INFINITY) ?? 0
    if (nowMs() - sinceMs < LONGEST_GAP_MS) return
    this.tellOfGap(server, position.id)
    this.positions.delete(server)
  }

  private tellOfGap(server: string, after: string): void {
    this.options.context.log.warn(
      { event: 'source.gap_left', platform: 'mastodon', server, after },
      'A break was too long; its oldest posts are left out',
    )
  }
}
