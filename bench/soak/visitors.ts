import { systemClock } from '../../src/kernel/clock.ts'
import type { Cell } from './cells-stage.ts'
import { type Finding, findingOf } from './finding.ts'
import type { Disturbed } from './records.ts'

const EVERY_MS = 250
const ANSWER_MS = 10_000
/** How long a cell may be away for the door after it says that it runs. */
const GRACE_MS = 3000

interface Visit {
  cell: string
  fromMs: number
  toMs: number
  /** Of the answer; 0 without one. */
  status: number
}

/** Callers with a key of each cell, who list mentions through the door for as long as a run takes. */
export class Visitors {
  readonly visits: Visit[] = []
  private readonly ending = new AbortController()
  private readonly running: Promise<unknown>

  constructor(cells: readonly Cell[], doorOrigin: string) {
    this.running = Promise.all(cells.map((cell) => this.visit(cell, doorOrigin)))
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await this.running
  }

  private async visit({ name, apiKey }: Cell, doorOrigin: string): Promise<void> {
    const headers = { authorization: `Bearer ${apiKey}` }
    while (!this.ending.signal.aborted) {
      const fromMs = systemClock.now().getTime()
      const signal = AbortSignal.timeout(ANSWER_MS)
      const status = await fetch(`${doorOrigin}/v1/mentions?limit=1`, { headers, signal })
        .then(async (reply) => {
          await reply.arrayBuffer()
          return reply.status
        })
        .catch(() => 0)
      this.visits.push({ cell: name, fromMs, toMs: systemClock.now().getTime(), status })
      await systemClock.wait(EVERY_MS, this.ending.signal)
    }
  }
}

/** Visits that failed although neither the door nor the caller's own cell was away. */
export function unexplainedVisits(visits: readonly Visit[], disturbances: readonly Disturbed[], door: string): Finding {
  const isExplained = ({ cell, fromMs, toMs }: Visit) =>
    disturbances.some(
      (disturbed) =>
        [`kill ${cell}`, `kill ${door}`].includes(disturbed.what) &&
        toMs >= disturbed.fromMs &&
        fromMs <= disturbed.toMs + GRACE_MS,
    )
  const failed = visits.filter((visit) => visit.status !== 200 && !isExplained(visit))
  return findingOf(failed.map(({ cell, fromMs, status }) => `${cell} at ${fromMs}: ${status}`))
}
