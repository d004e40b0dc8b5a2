/**
 * Filters over three words in a row. Each gives a number for every place of a text, from the vectors of the word there
 * and of its two neighbours, and only its greatest one counts: what a filter has learned to find counts once, wherever
 * it stands.
 */
export interface Convolution {
  /**
   * `WIDTH * dimensions` rows of as many numbers as there are filters: for the word before, the word itself, the word
   * behind.
   */
  weights: Float32Array
  bias: Float32Array
  /** What is added where the word itself stands in the reach of a negation. */
  negated: Float32Array
  /** What a filter's greatest number says: a row for each label. */
  common: Float32Array
  /** The same once more for each group, all labels of a group together. */
  own: Float32Array
}

/** Words that a filter reads at once. */
export const WIDTH = 3

/** Reads texts with the filters. What a word adds to them is found when it is first met, and kept. */
export interface ConvolutionReader {
  /**
   * The greatest number of every filter over the first `count` tokens, or zero where none is greater. `rows` tells
   * which word each token is, or -1; `negated` is 1 for those in the reach of a negation. The answer is overwritten by
   * the next text.
   */
  strongest(rows: Int32Array, negated: Uint8Array, count: number): Float32Array
}

/** `vectors` holds `dimensions` numbers a word. */
export function readerOf(
  convolution: Pick<Convolution, 'weights' | 'bias' | 'negated'>,
  vectors: Float32Array,
  dimensions: number,
): ConvolutionReader {
  const { bias, negated } = convolution
  const filters = bias.length
  const words = new AddedByWords(convolution.weights, filters, vectors, dimensions)
  const { added, width } = words
  const plain = Int32Array.from(bias, whole)
  const turned = Int32Array.from(bias, (value, filter) => whole(value + negated[filter]!))
  const greatest = new Int32Array(filters)
  const answer = new Float32Array(filters)
  return {
    strongest(rows, negations, count) {
      greatest.fill(0)
      let before = words.unknown * width
      let itself = count > 0 ? words.rowFor(rows[0]!) : 0
      for (let at = 0; at < count; at += 1) {
        const behind = at + 1 < count ? words.rowFor(rows[at + 1]!) : words.unknown * width
        const start = negations[at] === 1 ? turned : plain
        for (let filter = 0; filter < filters; filter += 1) {
          const more =
            start[filter]! +
            added[before + filter]! +
            added[itself + filters + filter]! +
            added[behind + 2 * filters + filter]! -
            greatest[filter]!
          // The greater of both without a branch, which would be guessed wrong too often.
          greatest[filter]! += more & ~(more >> 31)
        }
        before = itself
        itself = behind
      }
      for (let filter = 0; filter < filters; filter += 1) answer[filter] = greatest[filter]! / PARTS
      return answer
    },
  }
}

/** What each word adds to the filters, found when the word is first met. */
class AddedByWords {
  /** Small whole numbers, of which few enough bytes are read. */
  readonly added: Int16Array
  /** Numbers of a row. */
  readonly width: number
  /** The last row is that of an unknown word, which adds nothing. */
  readonly unknown: number
  private readonly met: Uint8Array
  private readonly sums: Float32Array
  private readonly weights: Float32Array
  private readonly vectors: Float32Array
  private readonly dimensions: number

  constructor(weights: Float32Array, filters: number, vectors: Float32Array, dimensions: number) {
    this.weights = weights
    this.vectors = vectors
    this.dimensions = dimensions
    this.width = WIDTH * filters
    this.unknown = vectors.length / dimensions
    this.added = new Int16Array((this.unknown + 1) * this.width)
    this.met = new Uint8Array(this.unknown + 1)
    this.met[this.unknown] = 1
    this.sums = new Float32Array(filters)
  }

  /** Where the word's row begins in `added`; -1 is an unknown word. */
  rowFor(word: number): number {
    const row = word < 0 ? this.unknown : word
    if (this.met[row] === 0) {
      this.meet(row)
      this.met[row] = 1
    }
    return row * this.width
  }

  private meet(word: number): void {
    const { weights, vectors, dimensions, sums } = this
    const filters = sums.length
    for (let at = 0; at < WIDTH; at += 1) {
      sums.fill(0)
      for (let step = 0; step < dimensions; step += 1) {
        const value = vectors[word * dimensions + step]!
        // Of vectors that are rounded many numbers are none.
        if (value === 0) continue
        const from = (at * dimensions + step) * filters
        for (let filter = 0; filter < filters; filter += 1) sums[filter]! += value * weights[from + filter]!
      }
      const to = word * this.width + at * filters
      for (let filter = 0; filter < filters; filter += 1) this.added[to + filter] = whole(sums[filter]!)
    }
  }
}

/**
 * Adds to each number of `into` what the filters say for its label, `share` times: from the block of rows in `says`
 * that begins at `from`.
 */
export function addAnswers(
  says: Float32Array,
  from: number,
  strongest: Float32Array,
  share: number,
  into: Float64Array,
): void {
  const filters = strongest.length
  for (let label = 0, row = from; label < into.length; label += 1, row += filters) {
    let sum = 0
    for (let filter = 0; filter < filters; filter += 1) sum += says[row + filter]! * strongest[filter]!
    into[label]! += share * sum
  }
}

/** What a word adds to a filter is rounded to such parts of one, and bounded by what 16 bits hold: plus or minus 32. */
const PARTS = 1024
const MOST = 32767

function whole(value: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(value * PARTS)))
}
