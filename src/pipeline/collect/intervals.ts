import { plus, SECOND_MS } from '../../kernel/clock.ts'
import type { PageSource, SearchSource, StreamSource } from '../../sources/contract.ts'

const DOUBLINGS = 4

export function baseMs(source: StreamSource | SearchSource | PageSource): number {
  return source.pollSeconds * SECOND_MS
}

/** The base interval, doubled per empty poll up to sixteenfold, ±10 % by `drawn` (0 to 1), so that queries spread. */
export function dueAfter(at: Date, base: number, emptyPolls: number, drawn: number): Date {
  return plus(at, base * 2 ** Math.min(emptyPolls, DOUBLINGS) * (0.9 + 0.2 * drawn))
}
