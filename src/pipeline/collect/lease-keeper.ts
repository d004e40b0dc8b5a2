import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../store/database.ts'
import {
  announceCollector,
  leaveCollectors,
  type Renewal,
  SOURCE_CHANNEL,
  type SourceLease,
  takeSources,
} from '../../store/source/source-leases.ts'
import type { HeldSource } from './held-source.ts'

/** Another process may take a source whose holder has not renewed its lease for this long. */
export const SOURCE_LEASE_MS = 15 * SECOND_MS
export const RENEW_MS = 5 * SECOND_MS

export interface Leasing {
  db: Database
  clock: Clock
  log: Log
  /** Of the leases. */
  names: readonly string[]
  /** Before the first lease is taken. */
  join(at: Date): Promise<void>
  /** What this process holds, and how many leases it should have. */
  renew(renewal: Renewal): Promise<{ held: readonly string[]; share: number }>
  begin(lease: SourceLease): HeldSource
}

/** Holds this process's share of the leases, and works on what it holds. */
export class LeaseKeeper {
  private readonly leasing: Leasing
  private readonly holder: Uuid
  private readonly working = new Map<string, HeldSource>()
  private hasJoined = false
  private renewedMs: number

  constructor(leasing: Leasing) {
    const { clock } = leasing
    this.leasing = leasing
    this.holder = newUuid(clock.now())
    this.renewedMs = clock.monotonicMs()
  }

  get held(): Iterable<HeldSource> {
    return this.working.values()
  }

  /** Until `signal` is aborted; then ends what is held and gives all leases back. */
  async run(signal: AbortSignal): Promise<void> {
    const { db, clock, log } = this.leasing
    const wakeUp = new WakeUp(clock)
    db.listen(SOURCE_CHANNEL, wakeUp.wake, wakeUp.wake, signal)
    while (!signal.aborted) {
      try {
        wakeUp.clear()
        await this.checkLeases()
      } catch (error) {
        log.warn(
          { event: 'source.balance_failed', err: error },
          'The leases of platforms could not be checked; retrying',
        )
        this.doubt()
      }
      await wakeUp.sleep(RENEW_MS, signal)
    }
    await this.leave()
  }

  private async checkLeases(): Promise<void> {
    const { db, clock, names, join, renew } = this.leasing
    const at = clock.now()
    if (!this.hasJoined) await join(at)
    const lease = { holder: this.holder, at, leasedUntil: plus(at, SOURCE_LEASE_MS) }
    const { held, share } = await renew(lease)
    this.renewedMs = clock.monotonicMs()
    for (const [name, source] of this.working) if (!held.includes(name)) source.end({ giveBack: false })
    this.beginAll(held)
    // Other processes must know of this one before they release its share.
    if (!this.hasJoined) await announceCollector(db)
    this.hasJoined = true
    const missing = this.reduceTo(share)
    if (missing <= 0) return
    const free = names.filter((name) => !this.working.has(name))
    this.beginAll(await takeSources(db, { ...lease, sources: free, limit: missing }))
  }

  /** When the leases may have expired, work ends, since another process may hold them. */
  private doubt(): void {
    if (this.leasing.clock.monotonicMs() - this.renewedMs < SOURCE_LEASE_MS) return
    this.endAll()
  }

  private async leave(): Promise<void> {
    const { db, log } = this.leasing
    this.endAll()
    await Promise.all([...this.working.values()].map(({ ended }) => ended))
    await leaveCollectors(db, this.holder).catch((error: unknown) =>
      log.warn(
        { event: 'source.leases_not_released', err: error },
        'The leases of platforms could not be released; they expire',
      ),
    )
  }

  private reduceTo(share: number): number {
    const going = [...this.working.values()].filter(({ isEnding }) => !isEnding)
    for (const source of going.slice(share)) source.end({ giveBack: true })
    return share - going.length
  }

  private beginAll(names: readonly string[]): void {
    for (const name of this.leasing.names) if (names.includes(name) && !this.working.has(name)) this.begin(name)
  }

  private begin(name: string): void {
    const source = this.leasing.begin({ source: name, holder: this.holder })
    this.working.set(name, source)
    void source.ended.then(() => this.working.delete(name))
  }

  private endAll(): void {
    for (const source of this.working.values()) source.end({ giveBack: false })
  }
}
