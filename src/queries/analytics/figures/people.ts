import type { Uuid } from '../../../kernel/ids.ts'
import { sql } from '../../../store/database.ts'
import type { QueryContext } from '../../reading.ts'

/** An account as figures have it: the last eight bytes of its id, as two integers. */
interface Key {
  high: number
  low: number
}

/** How many mentions each account has in each of so many slots. */
export class AccountCounts {
  private readonly slots: number
  /** Two integers of the account, then a count for each slot; all zero where free. */
  private table: Int32Array
  private room = 1024
  private used = 0

  constructor(slots: number) {
    this.slots = slots
    this.table = new Int32Array(this.room * this.width)
  }

  private get width(): number {
    return 2 + this.slots
  }

  /** Leaves out mentions without an account, which is 0. */
  add(high: number, low: number, slot: number, weight: number): void {
    if (high === 0 && low === 0) return
    if (2 * this.used >= this.room) this.grow()
    const at = this.find(high, low)
    if (this.table[at] === 0 && this.table[at + 1] === 0) {
      this.table[at] = high
      this.table[at + 1] = low
      this.used += 1
    }
    this.table[at + 2 + slot]! += weight
  }

  /** How many people have mentions in a slot, of whom some have several accounts. */
  peopleIn(slot: number, merged: readonly { account: Key; person: Key }[]): number {
    const { table, width } = this
    let accounts = 0
    for (let at = 0; at < table.length; at += width) if (table[at + 2 + slot]! > 0) accounts += 1
    const has = ({ high, low }: Key) => table[this.find(high, low) + 2 + slot]! > 0
    const moved = merged.filter(({ account }) => has(account))
    const isMoved = new Set(moved.map(({ account }) => textOf(account)))
    const people = new Map(moved.map(({ person }) => [textOf(person), person]))
    const alreadyCounted = [...people].filter(([text, person]) => has(person) && !isMoved.has(text))
    return accounts - moved.length + people.size - alreadyCounted.length
  }

  /** Where the account stands, or may. */
  private find(high: number, low: number): number {
    const { table, width } = this
    const mask = this.room - 1
    for (let place = (high ^ low) & mask; ; place = (place + 1) & mask) {
      const at = place * width
      if ((table[at] === high && table[at + 1] === low) || (table[at] === 0 && table[at + 1] === 0)) return at
    }
  }

  private grow(): void {
    const { table, width } = this
    this.room *= 4
    this.table = new Int32Array(this.room * width)
    for (let at = 0; at < table.length; at += width)
      if (table[at] !== 0 || table[at + 1] !== 0)
        this.table.set(table.subarray(at, at + width), this.find(table[at]!, table[at + 1]!))
  }
}

function textOf({ high, low }: Key): string {
  return `${high} ${low}`
}

/** The few accounts that belong to another person than their own. */
export async function readMerged({
  db,
  workspaceId,
}: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<{ account: Key; person: Key }[]> {
  const rows = await db.query<{ id: Uuid; person_id: Uuid }>(
    sql`select id, person_id from account where workspace_id = ${workspaceId} and person_id <> id`,
  )
  return rows.map(({ id, person_id }) => ({ account: keyOf(id), person: keyOf(person_id) }))
}

function keyOf(id: Uuid): Key {
  const digits = id.replaceAll('-', '').slice(-16)
  return { high: Number.parseInt(digits.slice(0, 8), 16) | 0, low: Number.parseInt(digits.slice(8), 16) | 0 }
}
