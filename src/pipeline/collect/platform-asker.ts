import { HOUR_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import { WakeUp } from '../../kernel/concurrency/wake-up.ts'
import { LeaseLost, type SourceLease } from '../../store/source/source-leases.ts'
import { type DueQuery, readDueQueries, readNextDue, setAside } from '../../store/source/source-queries.ts'
import type { CollectorOptions } from './collect.ts'
import { backOffMs } from './failures.ts'
import { pollQueries } from './poll-queries.ts'
import type { PolledSource } from './polled-source.ts'
import { candidatesOf, firstPack } from './query-pack.ts'
import { noteTrouble, troubleOf } from './query-trouble.ts'

const AT_ONCE = 2
/** A query without a running keyword is checked again after this long. Resuming a keyword makes it due at once. */
const ASIDE_MS = 6 * HOUR_MS
/** Due queries are read at least this often, since a notification may be lost. */
const LONGEST_SLEEP_MS = 30 * SECOND_MS

export class PlatformAsker {
  private readonly source: PolledSource
  private readonly lease: SourceLease
  private readonly options: CollectorOptions
  private readonly wakeUp: WakeUp
  private readonly lost = new AbortController()
  private readonly inFlight = new Map<readonly DueQuery[], Promise<void>>()
  private restUntilMs = 0
  private failures = 0

  constructor(source: PolledSource, lease: SourceLease, options: CollectorOptions) {
    this.source = source
    this.lease = lease
    this.options = options
    this.wakeUp = new WakeUp(options.clock)
  }

  wake(): void {
    this.wakeUp.wake()
  }

  async run(signal: AbortSignal): Promise<void> {
    await underAny([signal, this.lost.signal], (ending) => this.askUntil(ending))
  }

  private async askUntil(ending: AbortSignal): Promise<void> {
    const { log } = this.options
    while (!ending.aborted) {
      this.wakeUp.clear()
      const sleepMs = await this.askNext(ending).catch((error: unknown) => {
        log.warn(
          { event: 'source.due_failed', err: error, platform: this.source.platform },
          'The queries that are due could not be read; retrying',
        )
        return backOffMs(error, 3)
      })
      if (sleepMs > 0) await this.wakeUp.sleep(sleepMs, ending)
    }
    await Promise.all(this.inFlight.values())
  }

  /** Returns the milliseconds until there may be more to do. */
  private async askNext(ending: AbortSignal): Promise<number> {
    const { source, inFlight } = this
    const restMs = this.restUntilMs - this.options.clock.monotonicMs()
    if (restMs > 0) return restMs
    if (inFlight.size >= AT_ONCE) return LONGEST_SLEEP_MS
    const at = this.options.clock.now()
    const due = await this.readDue(at)
    const queries = firstPack(
      source,
      due.filter(({ since }) => since !== null),
    )
    if (queries.length > 0) inFlight.set(queries, this.poll(queries, ending))
    return due.length > 0 ? 0 : await this.untilNextDue(at)
  }

  private async readDue(at: Date): Promise<DueQuery[]> {
    const { source, options } = this
    const { platform } = source
    const limit = candidatesOf(source)
    const due = await readDueQueries(options.db, { platform, at, except: this.keysInFlight(), limit })
    const unwanted = due.filter(({ since }) => since === null).map(({ key }) => key)
    if (unwanted.length > 0) await setAside(options.db, platform, unwanted, plus(at, ASIDE_MS))
    return due
  }

  private async untilNextDue(at: Date): Promise<number> {
    const next = await readNextDue(this.options.db, this.source.platform, this.keysInFlight())
    return next === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, next.getTime() - at.getTime()))
  }

  private keysInFlight(): string[] {
    return [...this.inFlight.keys()].flat().map(({ key }) => key)
  }

  private async poll(queries: readonly DueQuery[], ending: AbortSignal): Promise<void> {
    const { platform } = this.source
    const { metrics } = this.options
    try {
      await this.pollOnce(queries, ending)
    } catch (error) {
      if (error instanceof LeaseLost) return this.lost.abort()
      if (ending.aborted) return
      metrics.queriesPolled.inc({ platform, outcome: 'failed' }, queries.length)
      await this.rest(queries, error, false)
    } finally {
      this.inFlight.delete(queries)
      this.wakeUp.wake()
    }
  }

  private async pollOnce(queries: readonly DueQuery[], ending: AbortSignal): Promise<void> {
    const { source, lease, options } = this
    const { platform } = source
    const { made, fault, settled } = await pollQueries(source, queries, lease, options, ending)
    options.metrics.queriesPolled.inc({ platform, outcome: made > 0 ? 'found' : 'empty' }, queries.length)
    options.log.info({ event: 'source.queried', platform, queries: queries.length, mentions: made }, 'Platform queried')
    if (fault) await this.rest(queries, fault, settled)
    else this.failures = 0
  }

  private async rest(queries: readonly DueQuery[], error: unknown, settled: boolean): Promise<void> {
    const { source, lease, options } = this
    const trouble = troubleOf(source, queries, error, this.failures + 1)
    if (trouble.counts) this.failures += 1
    const toNote = settled ? { ...trouble, query: null } : trouble
    const noted = await noteTrouble({ source, queries, error, trouble: toNote }, lease, options)
    const restMs = noted ? trouble.restMs : Math.max(trouble.restMs, backOffMs(error, this.failures))
    this.restUntilMs = Math.max(this.restUntilMs, options.clock.monotonicMs() + restMs)
  }
}
