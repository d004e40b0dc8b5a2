import { setImmediate } from 'node:timers/promises'
import { MARKS, readSized } from '../../../store/filter/block-figures.ts'
import type { Periods } from '../../../store/filter/mention-blocks.ts'
import { Cells, EVERY_MARK, ONLY_RELEVANT } from './cells.ts'
import type { Division } from './division.ts'
import { AccountCounts } from './people.ts'
import type { Portion } from './portions.ts'
import { slotFinder } from './slots.ts'

/** Which mentions of portions count, apart from the sets of these. */
export interface Counting extends Periods {
  /** Whether to sum more than mentions and those that are relevant. */
  sums: boolean
  /** Null counts all keywords. */
  keywords: ReadonlySet<number> | null
  onlyOpen: boolean
  /** Leaves out what is snoozed then. */
  at: Date
}

/** After so many portions, others get their turn. */
const PORTIONS_AT_ONCE = 250
const ONE = '1'.charCodeAt(0)

/** Sums of the mentions of portions by period and key, and the counts of their authors where figures have them. */
export class Tally {
  readonly slots: number
  readonly cells: Cells
  readonly accounts: AccountCounts
  private readonly slotOf: (minute: number) => number

  constructor(
    private readonly counting: Counting,
    readonly division: Division,
  ) {
    const { starts, end } = counting
    this.slots = starts.length
    this.cells = new Cells(this.slots, counting.sums ? EVERY_MARK : ONLY_RELEVANT)
    this.accounts = new AccountCounts(this.slots)
    this.slotOf = slotFinder(starts, end)
  }

  /** False where a portion does not tell the values. */
  async addAll(portions: readonly Portion[]): Promise<boolean> {
    for (const [number, portion] of portions.entries()) {
      if (number % PORTIONS_AT_ONCE === PORTIONS_AT_ONCE - 1) await setImmediate()
      const keyOf = this.division.keysOf(portion)
      if (keyOf === null) return false
      this.add(portion, keyOf)
    }
    return true
  }

  private add(portion: Portion, keyOf: (at: number) => number): void {
    const { weight, size, figures } = portion
    const { cells, accounts } = this
    const { marks, followers, engagement, accounts: accountIds } = figures
    const reachOf = followers && readSized(followers, size)
    const engagementOf = engagement && readSized(engagement, size)
    const slotAt = this.slotsOf(portion)
    for (let at = 0; at < size; at += 1) {
      const slot = slotAt(at)
      if (slot < 0) continue
      const cell = cells.placeOf(keyOf(at)) + slot * cells.width
      cells.add(cell, marks!.getUint8(at), weight)
      if (reachOf && engagementOf) cells.addCounts(cell, weight * reachOf(at), weight * engagementOf(at))
      if (accountIds !== undefined)
        accounts.add(accountIds.getInt32(8 * at), accountIds.getInt32(8 * at + 4), slot, weight)
    }
  }

  /** The slot of each mention; -1 for one that does not count. */
  private slotsOf({ asked, slot, figures: { published, marks, snoozes, keywords } }: Portion): (at: number) => number {
    const { slotOf } = this
    const { keywords: wanted, onlyOpen, at: now } = this.counting
    const nowMs = now.getTime()
    return (at) => {
      if (asked !== null && asked.charCodeAt(at) !== ONE) return -1
      if (wanted !== null && !wanted.has(keywords!.getInt32(4 * at))) return -1
      if (onlyOpen && MARKS.isClosed(marks!.getUint8(at))) return -1
      if (snoozes !== undefined && snoozes.getFloat64(8 * at) > nowMs) return -1
      return slot ?? slotOf(published!.getInt32(4 * at))
    }
  }
}
