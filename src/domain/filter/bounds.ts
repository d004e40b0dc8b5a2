export interface Contradiction {
  field: string
  reason: string
}

interface Bounds {
  lower: string
  upper: string
  /** An exclusive end leaves nothing between equal bounds. */
  mayMeet: boolean
}

const BOUNDS: readonly Bounds[] = [
  { lower: 'minRelevance', upper: 'maxRelevance', mayMeet: true },
  { lower: 'minFollowers', upper: 'maxFollowers', mayMeet: true },
  { lower: 'since', upper: 'until', mayMeet: false },
  { lower: 'createdSince', upper: 'createdUntil', mayMeet: false },
  { lower: 'from', upper: 'to', mayMeet: true },
]

export function contradictionsIn(values: Readonly<Record<string, unknown>>): Contradiction[] {
  return BOUNDS.flatMap(({ lower, upper, mayMeet }) => {
    const [from, to] = [comparable(values[lower]), comparable(values[upper])]
    if (from === null || to === null || from < to || (mayMeet && from === to)) return []
    return [{ field: upper, reason: mayMeet ? `must not be ${wordFor(from)} ${lower}` : `must be after ${lower}` }]
  })
}

/** ISO days compare correctly as text. */
function comparable(value: unknown): number | string | null {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

function wordFor(bound: number | string): string {
  return typeof bound === 'string' ? 'before' : 'below'
}
