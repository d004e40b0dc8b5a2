/** Weights with the sums of squares by which their steps shrink: adaptive gradient descent. */
export interface Moved<Values extends Float32Array | Float64Array = Float32Array> {
  values: Values
  squares: Values
}

/** Weights whose first steps are as long as if they had moved by the root of `start` before. */
export function moved<Values extends Float32Array | Float64Array>(values: Values, start: number): Moved<Values> {
  return { values, squares: values.slice().fill(start) as Values }
}

/** Numbers spread evenly between `-most` and `most`. */
export function scattered(count: number, most: number, random: () => number): Float32Array {
  return Float32Array.from({ length: count }, () => (2 * random() - 1) * most)
}

/** Moves one weight along `step`. */
export function move(
  { values, squares }: Moved<Float32Array | Float64Array>,
  at: number,
  step: number,
  rate: number,
): void {
  squares[at]! += step * step
  values[at]! += (rate * step) / Math.sqrt(squares[at]!)
}

/** Vectors of words, which have one sum of squares each. */
export interface MovedVectors extends Moved {
  dimensions: number
}

/** Moves the vector of a word along the numbers that begin at `from`. */
export function moveVector(
  { values, squares, dimensions }: MovedVectors,
  word: number,
  steps: Float32Array,
  from: number,
  rate: number,
): void {
  let sum = 0
  for (let at = 0; at < dimensions; at += 1) sum += steps[from + at]! ** 2
  squares[word]! += sum / dimensions
  const own = rate / Math.sqrt(squares[word]!)
  for (let at = 0; at < dimensions; at += 1) values[word * dimensions + at]! += own * steps[from + at]!
}
