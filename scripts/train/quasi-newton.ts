import { dotOf } from '../../src/classify/offline/model/directions.ts'

/** A function of many numbers: writes its gradient at `point` and returns its value. */
export type Slope = (point: Float64Array, gradient: Float64Array) => number

/** Lowers `slope` from `point`, in place, by limited-memory BFGS. The same function gives the same result. */
export function descend(point: Float64Array, slope: Slope, rounds: number): void {
  const next = new Float64Array(point.length)
  let gradient = new Float64Array(point.length)
  let value = slope(point, gradient)
  const history: Step[] = []
  for (let round = 0; round < rounds; round += 1) {
    const direction = directionFrom(gradient, history)
    const gain = dotOf(gradient, direction)
    if (gain <= LEAST_GAIN * Math.abs(value)) return
    const start = point.slice()
    let lower = value
    for (let step = 1, attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1, step /= 2) {
      for (let at = 0; at < point.length; at += 1) point[at] = start[at]! - step * direction[at]!
      lower = slope(point, next)
      if (lower <= value - SUFFICIENT * step * gain) break
    }
    remember(history, difference(point, start), difference(next, gradient))
    const improvement = value - lower
    value = lower
    gradient = next.slice()
    if (improvement < LEAST_IMPROVEMENT * Math.abs(value)) return
  }
}

interface Step {
  moved: Float64Array
  bent: Float64Array
  curvature: number
}

function remember(history: Step[], moved: Float64Array, bent: Float64Array): void {
  const curvature = dotOf(moved, bent)
  if (curvature <= LEAST_CURVATURE) return
  history.push({ moved, bent, curvature })
  if (history.length > MEMORY) history.shift()
}

/** The gradient, bent by what earlier steps say of the curvature. */
function directionFrom(gradient: Float64Array, history: readonly Step[]): Float64Array {
  const direction = gradient.slice()
  const shares: number[] = []
  for (let at = history.length - 1; at >= 0; at -= 1) {
    const { moved, bent, curvature } = history[at]!
    shares[at] = dotOf(moved, direction) / curvature
    add(direction, bent, -shares[at]!)
  }
  const latest = history.at(-1)
  const scale = latest
    ? latest.curvature / dotOf(latest.bent, latest.bent)
    : 1 / Math.sqrt(dotOf(gradient, gradient) || 1)
  for (let at = 0; at < direction.length; at += 1) direction[at]! *= scale
  for (const [at, { moved, bent, curvature }] of history.entries())
    add(direction, moved, shares[at]! - dotOf(bent, direction) / curvature)
  return direction
}

function add(into: Float64Array, values: Float64Array, share: number): void {
  for (let at = 0; at < into.length; at += 1) into[at]! += share * values[at]!
}

function difference(first: Float64Array, second: Float64Array): Float64Array {
  return first.map((value, at) => value - second[at]!)
}

const MEMORY = 8
const MOST_ATTEMPTS = 12
const SUFFICIENT = 1e-4
const LEAST_GAIN = 1e-7
const LEAST_IMPROVEMENT = 1e-5
const LEAST_CURVATURE = 1e-12
