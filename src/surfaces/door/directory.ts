import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { boundedCache, timedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Mark } from '../cells/contract.ts'
import type { Cell } from './cell.ts'
import type { DoorMetrics } from './metrics.ts'

export interface Finding {
  /** In the order of the cells. One suffices for a secret. */
  cells: readonly Cell[]
  /** False when a cell that did not answer may have it. */
  isSure: boolean
  isRemembered: boolean
}

/** About 30 MB. */
const REMEMBERED_MAX = 100_000
/** A moved workspace is noticed by the answer of its former cell, so this may be long. */
const FOUND_MS = 10 * MINUTE_MS
/** Short, because a new key must work at once, and long enough against a client that repeats a wrong one. */
const NOWHERE_MS = SECOND_MS
const BESIDE_MS = 5 * SECOND_MS

/** Which cell has what. Asks all cells at the same time and remembers their answers. */
export class Directory {
  private readonly cells: readonly Cell[]
  private readonly clock: Clock
  private readonly metrics: DoorMetrics
  private readonly remembered = boundedCache<{ cells: readonly Cell[]; untilMs: number }>({ most: REMEMBERED_MAX })
  private readonly nowhereElse = timedCache<true>({ most: REMEMBERED_MAX, forMs: BESIDE_MS })
  private readonly underWay = new Map<string, Promise<Finding>>()

  constructor(cells: readonly Cell[], { clock, metrics }: { clock: Clock; metrics: DoorMetrics }) {
    this.cells = cells
    this.clock = clock
    this.metrics = metrics
  }

  async find(mark: Mark): Promise<Finding> {
    const key = keyOf(mark)
    const known = this.remembered.get(key)
    if (known !== undefined && known.untilMs > this.clock.monotonicMs()) {
      this.metrics.doorLookups.inc({ finding: 'remembered' })
      return { cells: known.cells, isSure: true, isRemembered: true }
    }
    const asked = this.underWay.get(key) ?? this.ask(mark, key, this.cells)
    this.underWay.set(key, asked)
    return asked.finally(() => this.underWay.delete(key))
  }

  /** Asks again; where a workspace has moved, all cells but the one that it left. */
  async findAgain(mark: Mark, left: Cell | null): Promise<Finding> {
    const key = keyOf(mark)
    this.remembered.delete(key)
    return this.ask(
      mark,
      key,
      this.cells.filter((cell) => cell !== left),
    )
  }

  /** For a cell that is down: another one, if the workspace has moved there. Asked at most every five seconds. */
  async findBeside(mark: Mark, down: Cell): Promise<Cell | null> {
    const [key, now] = [keyOf(mark), this.clock.now()]
    if (this.nowhereElse.get(key, now)) return null
    const others = this.cells.filter((cell) => cell !== down)
    const [other = null] = (await this.ask(mark, key, others)).cells
    if (other === null) this.nowhereElse.set(key, true, now)
    return other
  }

  private async ask(mark: Mark, key: string, cells: readonly Cell[]): Promise<Finding> {
    const begunMs = this.clock.monotonicMs()
    const answers = cells.map(async (cell) => (cell.isUp ? ((await cell.find([mark]))?.[0] ?? null) : null))
    // A person may be in several cells, everything else is in one.
    const found = mark.kind === 'person' ? null : await firstTrue(answers)
    const holders =
      found === null ? await trueOf(answers).then((at) => at.map((index) => cells[index]!)) : [cells[found]!]
    const isSure = holders.length > 0 || (await Promise.all(answers)).every((answer) => answer !== null)
    const missing = isSure ? 'nowhere' : 'unsure'
    const finding = holders.length > 0 ? 'found' : missing
    this.metrics.doorLookups.inc({ finding })
    this.metrics.doorLookupSeconds.observe({ finding }, (this.clock.monotonicMs() - begunMs) / SECOND_MS)
    if (holders.length > 0 || (isSure && cells.length === this.cells.length))
      this.remembered.set(key, {
        cells: holders,
        untilMs: this.clock.monotonicMs() + (holders.length > 0 ? FOUND_MS : NOWHERE_MS),
      })
    return { cells: holders, isSure, isRemembered: false }
  }
}

function keyOf({ kind, text }: Mark): string {
  return `${kind} ${text}`
}

type Answers = readonly Promise<boolean | null>[]

/** The index of the first answer that is true; null when none is. */
async function firstTrue(answers: Answers): Promise<number | null> {
  const trues = answers.map(async (answer, index) => {
    if ((await answer) !== true) throw new NotThere()
    return index
  })
  return Promise.any(trues).catch((error: unknown) => {
    const other = error instanceof AggregateError && error.errors.find((reason) => !(reason instanceof NotThere))
    if (other) throw other
    return null
  })
}

class NotThere extends Error {}

async function trueOf(answers: Answers): Promise<number[]> {
  return (await Promise.all(answers)).flatMap((answer, index) => (answer === true ? [index] : []))
}
