import { generator, shuffle } from './linear.ts'

/** A text by the traits that it has, each bucket once, and how strongly; and whether it has what is asked for. */
export interface Answer {
  buckets: Int32Array
  strengths: Float64Array
  wanted: boolean
}

/** What speaks for a text having what is asked for. */
export interface Ridge {
  weights: Float32Array
  bias: number
}

/**
 * The logistic with the least sum of losses and of half of `pull` times the squares of its weights, the bias being one
 * of them. It is found by way of its dual, one text at a time in a fixed shuffled order: each text's share in the
 * weights is set to what the others leave to explain, so that no rate has to be chosen.
 */
export function trainRidge(
  texts: readonly Answer[],
  { bits, pull, rounds }: { bits: number; pull: number; rounds: number },
): Ridge {
  const weights = new Float64Array(1 << bits)
  let bias = 0
  const shares = new Float64Array(texts.length)
  const squares = Float64Array.from(texts, ({ strengths }) =>
    strengths.reduce((sum, strength) => sum + strength * strength, 1),
  )
  const order = Int32Array.from(texts.keys())
  const random = generator(20261123)
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random)
    for (const row of order) {
      const { buckets, strengths, wanted } = texts[row]!
      const side = wanted ? 1 : -1
      let score = bias
      for (let at = 0; at < buckets.length; at += 1) score += weights[buckets[at]!]! * strengths[at]!
      const share = shareOf(shares[row]!, side * score, squares[row]! / pull)
      const step = (side * (share - shares[row]!)) / pull
      shares[row] = share
      bias += step
      for (let at = 0; at < buckets.length; at += 1) weights[buckets[at]!]! += step * strengths[at]!
    }
  }
  return { weights: Float32Array.from(weights), bias }
}

/**
 * The share at which a text is as likely to be got wrong as its share says. `margin` is how surely it is got right with
 * its present share, and grows by `growth` with a whole one. From the steepest point of the curve, Newton's steps go
 * past nothing.
 */
function shareOf(present: number, margin: number, growth: number): number {
  let odds = 0
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const share = 1 / (1 + Math.exp(-odds))
    const step = (odds + margin + (share - present) * growth) / (1 + growth * share * (1 - share))
    odds -= step
    if (Math.abs(step) < NEAR_ENOUGH) break
  }
  return 1 / (1 + Math.exp(-odds))
}

const MOST_TURNS = 50
const NEAR_ENOUGH = 1e-9
