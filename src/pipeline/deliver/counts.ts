import type { Uuid } from '../../kernel/ids.ts'

/** How many there are of each id, and of all together. */
export interface Counts {
  readonly total: number
  of(id: Uuid): number
  /** The ids of which there are so many or more. */
  atLeast(count: number): Uuid[]
  add(id: Uuid, change: number): void
}

export function createCounts(): Counts {
  const counts = new Map<Uuid, number>()
  let total = 0
  return {
    get total() {
      return total
    },
    of: (id) => counts.get(id) ?? 0,
    atLeast: (least) => [...counts].flatMap(([id, count]) => (count >= least ? [id] : [])),
    add(id, change) {
      total += change
      const count = (counts.get(id) ?? 0) + change
      if (count === 0) counts.delete(id)
      else counts.set(id, count)
    },
  }
}
