import { expect, test } from 'vitest'
import { addAnswers, type Convolution, readerOf, WIDTH } from './convolution.ts'

/** Two words of two numbers, two filters: the first finds word 0 before word 1, the second is glad of the last word. */
const DIMENSIONS = 2
const FILTERS = 2
const vectors = Float32Array.of(1, 0, 0, 1)
const weights = new Float32Array(WIDTH * DIMENSIONS * FILTERS)
/** What the filter makes of the number `step` of the word at this place: 0 before, 1 the word itself, 2 behind. */
const setWeight = (filter: number, at: number, step: number, value: number) => {
  weights[(at * DIMENSIONS + step) * FILTERS + filter] = value
}
setWeight(0, 0, 0, 1)
setWeight(0, 1, 1, 1)
setWeight(1, 1, 1, 0.5)
setWeight(1, 2, 0, -2)
const filters: Pick<Convolution, 'weights' | 'bias' | 'negated'> = {
  weights,
  bias: Float32Array.of(-1, 0.25),
  negated: Float32Array.of(0, 8),
}

const strongest = (rows: number[], negated: number[] = rows.map(() => 0)) => [
  ...readerOf(filters, vectors, DIMENSIONS).strongest(Int32Array.from(rows), Uint8Array.from(negated), rows.length),
]

test('a filter finds its words in their order, wherever they stand', () => {
  expect(strongest([0, 1])[0]).toBe(1)
  expect(strongest([-1, -1, 0, 1, 0])[0]).toBe(1)
  expect(strongest([1, 0])[0]).toBe(0)
  expect(strongest([0, -1, 1])[0]).toBe(0)
})

test('a filter sees what stands behind a word, and its greatest number counts once', () => {
  expect(strongest([1])[1]).toBe(0.75)
  expect(strongest([1, 1, 1])[1]).toBe(0.75)
  expect(strongest([1, 0])[1]).toBe(0.25)
})

test('a filter is told that the word itself stands in the reach of a negation', () => {
  expect(strongest([1, 0], [0, 1])[1]).toBe(8.25)
  expect(strongest([1, 0], [1, 0])[1]).toBe(6.75)
})

test('what one word adds is bounded, so that no word outweighs all others', () => {
  const loud = readerOf(
    {
      weights: weights.map((value) => 100 * value),
      bias: new Float32Array(FILTERS),
      negated: new Float32Array(FILTERS),
    },
    vectors,
    DIMENSIONS,
  )
  const [found] = loud.strongest(Int32Array.of(0, 1), new Uint8Array(2), 2)
  expect(found).toBeCloseTo(64, 1)
})

test('nothing is found in no text, and no text leaves anything behind for the next', () => {
  expect(strongest([])).toEqual([0, 0])
  const reader = readerOf(filters, vectors, DIMENSIONS)
  const read = (rows: number[]) => [
    ...reader.strongest(Int32Array.from(rows), new Uint8Array(rows.length), rows.length),
  ]
  const first = read([0, 1])
  read([1, 0, -1, 1, 1, 0])
  expect(read([0, 1])).toEqual(first)
  expect(read([])).toEqual([0, 0])
})

test('filters answer as the sum over their words says', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647 - 0.5
  }
  const [words, dimensions, count] = [9, 5, 6]
  const table = Float32Array.from({ length: words * dimensions }, random)
  const learned = {
    weights: Float32Array.from({ length: WIDTH * dimensions * count }, random),
    bias: Float32Array.from({ length: count }, random),
    negated: Float32Array.from({ length: count }, random),
  }
  const reader = readerOf(learned, table, dimensions)
  for (let text = 0; text < 50; text += 1) {
    const rows = Int32Array.from({ length: text % 12 }, () => Math.floor((random() + 0.5) * (words + 1)) - 1)
    const negated = Uint8Array.from(rows, () => (random() > 0.3 ? 1 : 0))
    const wanted = Array.from({ length: count }, (_, filter) => {
      const numbers = [...rows].map((_row, token) => {
        let sum = learned.bias[filter]! + (negated[token] === 1 ? learned.negated[filter]! : 0)
        for (let at = 0; at < WIDTH; at += 1) {
          const word = rows[token + at - 1] ?? -1
          if (word >= 0)
            for (let step = 0; step < dimensions; step += 1)
              sum += table[word * dimensions + step]! * learned.weights[(at * dimensions + step) * count + filter]!
        }
        return sum
      })
      return Math.max(0, ...numbers)
    })
    for (const [filter, value] of reader.strongest(rows, negated, rows.length).entries())
      expect(value).toBeCloseTo(wanted[filter]!, 2)
  }
})

test('what filters say is added for each label, as far as the text belongs there', () => {
  const into = Float64Array.of(1, 10)
  addAnswers(Float32Array.of(9, 9, 1, 2, 3, 4), 2, Float32Array.of(1, 10), 0.5, into)
  expect([...into]).toEqual([1 + 21 / 2, 10 + 43 / 2])
})
