import { generator } from '../train/linear.ts'
import type { Measure } from './metrics.ts'

/** Between which values 95 of 100 figures lie. */
export type Interval = readonly [low: number, high: number]

const DRAWS = 1000
const OUTSIDE = 25
const SEED = 20261122

/**
 * How sure figures are: the 95 % bootstrap interval (percentile, 1,000 draws) of each, over the units of which the
 * figures are made. Always the same for the same units. A draw that has no value of a figure does not count for it.
 */
export function intervalsOf(units: number, figures: Measure<readonly (number | null)[]>): Interval[] {
  const random = generator(SEED)
  const drawn = new Int32Array(units)
  const values: number[][] = []
  for (let draw = 0; draw < DRAWS; draw += 1) {
    drawn.fill(0)
    for (let at = 0; at < units; at += 1) drawn[Math.floor(random() * units)]! += 1
    for (const [which, value] of figures(drawn).entries()) {
      values[which] ??= []
      if (value !== null) values[which].push(value)
    }
  }
  return values.map(middleOf)
}

function middleOf(values: number[]): Interval {
  const sorted = values.sort((first, second) => first - second)
  const outside = Math.floor((OUTSIDE * sorted.length) / DRAWS)
  return [sorted[outside]!, sorted[sorted.length - 1 - outside]!]
}
