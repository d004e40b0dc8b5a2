import type { ResolvedSearch } from '../../mentions/search.ts'
import type { QueryContext } from '../../reading.ts'
import type { Windows } from '../window.ts'
import type { Sums } from './cells.ts'
import type { DividedBy } from './division.ts'
import type { KeywordFacts } from './keyword-facts.ts'
import { type Row, readFigures } from './read-figures.ts'

export interface WindowRow extends Sums {
  current: boolean
  value: string | null
}

export interface FoundInWindows {
  whole: WindowRow[]
  parted: WindowRow[]
  /** Distinct known authors; 0 unless asked for. */
  people(current: boolean): number
  keywords: ReadonlyMap<number, KeywordFacts>
}

/** `readFigures` with the previous and the current window as periods. */
export async function readInWindows(
  reading: Pick<QueryContext, 'db' | 'workspaceId' | 'clock'>,
  search: ResolvedSearch,
  { current, previous }: Windows,
  { by, people = false }: { by: DividedBy; people?: boolean },
): Promise<FoundInWindows | null> {
  const starts = previous === null ? [current.begin] : [previous.begin, current.begin]
  const found = await readFigures(reading, search, { starts, end: current.end, by, sums: true, people })
  if (found === null) return null
  const last = starts.length - 1
  const rowOf = ({ slot, value, sums }: Row) => ({ current: slot === last, value, ...sums })
  return {
    whole: found.whole.map(rowOf),
    parted: found.parted.map(rowOf),
    people: (isCurrent) => found.people[isCurrent ? last : last - 1] ?? 0,
    keywords: found.keywords,
  }
}
