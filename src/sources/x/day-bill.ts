import { dayOf } from '../../kernel/clock.ts'

/** Counts things that are charged once within a UTC day however often they are read. */
export interface DayBill {
  /**
   * How many of the ids have not been charged on the day; they are from now on. `asked` and `read` are the instants
   * before and after their reading: when midnight lies between them, nobody here knows on which day they were charged.
   */
  charge(ids: readonly string[], during: { asked: Date; read: Date }): number
}

/**
 * Remembers at most `most` ids of the day. What does not fit, or was read about midnight, counts every time: the bill
 * may be too high, never too low.
 */
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
