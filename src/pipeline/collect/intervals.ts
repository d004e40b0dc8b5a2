import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { PageSource, SearchSource, StreamSource } from '../../sources/contract.ts'

/** Most times that an interval is doubled. */
const DOUBLINGS = 4

/** Milliseconds between two polls. */
export function baseMs(source: StreamSource | SearchSource | PageSource): number {
  return source.pollSeconds * SECOND_MS
}

/**
 * When a query is due again: after the base interval, doubled by each empty poll in a row up to sixteen times. A tenth
 * either way is drawn, from 0 to 1, so that queries that began together spread.
 */
export function dueAfter(at: Date, base: number, emptyPolls: number, drawn: number): Date {
  return plus(at, base * 2 ** Math.min(emptyPolls, DOUBLINGS) * (0.9 + 0.2 * drawn))
}
