import type { Log } from '../../kernel/log.ts'
import type { LimitMetrics } from './metrics.ts'

export type Counting = 'exact' | 'exchanged'

/** Logs once when this process begins to count alone, and once when that ends. */
export class CountingAlone {
  private readonly alone = new Set<Counting>()
  private readonly log: Log
  private readonly metrics: LimitMetrics | undefined

  constructor(log: Log, metrics: LimitMetrics | undefined) {
    this.log = log
    this.metrics = metrics
    for (const counting of ['exact', 'exchanged'] as const) metrics?.limitsAlone.set({ counting }, 0)
  }

  begins(counting: Counting, err: unknown): void {
    if (this.alone.has(counting)) return
    this.alone.add(counting)
    this.metrics?.limitsAlone.set({ counting }, 1)
    this.log.warn(
      { event: 'limits.alone', counting, err },
      'Limits are counted by this process alone; callers may get the whole limit from each process',
    )
  }

  ends(counting: Counting): void {
    if (!this.alone.delete(counting)) return
    this.metrics?.limitsAlone.set({ counting }, 0)
    this.log.info({ event: 'limits.shared', counting }, 'Limits are counted together with the other processes again')
  }
}
