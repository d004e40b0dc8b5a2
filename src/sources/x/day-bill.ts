import { dayOf } from '../../kernel/clock.ts'

/** Items are charged once per UTC day however often they are read. */
export interface DayBill {
  /** Number of ids not yet charged that day. If midnight lies between `asked` and `read`, the day is unknown. */
  charge(ids: readonly string[], during: { asked: Date; read: Date }): number
}

/** Ids beyond `most` or read at midnight count every time: the bill may be too high, never too low. */
export function dayBill(most: number): DayBill {
  let day = ''
  let charged = new Set<string>()
  return {
    charge(ids, { asked, read }) {
      const today = dayOf(asked)
      if (today !== dayOf(read)) return new Set(ids).size
      if (today !== day) charged = new Set()
      day = today
      const fresh = new Set(ids.filter((id) => !charged.has(id)))
      for (const id of fresh) if (charged.size < most) charged.add(id)
      return fresh.size
    },
  }
}
