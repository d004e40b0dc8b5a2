import { type Statement, sql } from '../database.ts'

/** A part of a list. */
export interface Part<One> {
  /** Any number; each makes another order of the whole list, in which it can be read to its end. */
  order: number
  after: One | null
  limit: number
}

/** The place of a row in that order. */
export function placeIn(order: number, id: Statement<unknown>) {
  return sql`hashtextextended(${id}, ${order}::bigint)`
}
