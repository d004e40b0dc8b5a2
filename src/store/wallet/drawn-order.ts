import { type Statement, sql } from '../database.ts'

export interface RandomPage<One> {
  /** Any number gives another random order of the whole list, for reading it page by page. */
  order: number
  after: One | null
  limit: number
}

export function placeIn(order: number, id: Statement<unknown>) {
  return sql`hashtextextended(${id}, ${order}::bigint)`
}
