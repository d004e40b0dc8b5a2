/** A convolution over three neighbouring words with max pooling. */
export interface Convolution {
  /** WIDTH * `dimensions` rows of a number per filter: the previous word, the word, the next word. */
  weights: Float32Array
  bias: Float32Array
  /** Added to the bias at a negated word. */
  negated: Float32Array
  common: Float32Array
  /** Output weights by group and label, in addition to `common`. */
  own: Float32Array
}

export const WIDTH = 3

export interface ConvolutionReader {
  /**
   * The greatest value of each filter, at least 0, over the first `count` tokens. `rows` holds the word of each token
   * or -1, `negated` 1 for negated tokens. The next call overwrites the returned array.
   */
  strongest(rows: Int32Array, negated: Uint8Array, count: number): Float32Array
}

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
          // A maximum without a branch, which the processor would often mispredict.
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

class AddedByWords {
  /** 16 bits a number, to read less memory. */
  readonly added: Int16Array
  readonly width: number
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

  /** Returns an offset in `added`; word -1 is unknown. */
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
        if (value === 0) continue
        const from = (at * dimensions + step) * filters
        for (let filter = 0; filter < filters; filter += 1) sums[filter]! += value * weights[from + filter]!
      }
      const to = word * this.width + at * filters
      for (let filter = 0; filter < filters; filter += 1) this.added[to + filter] = whole(sums[filter]!)
    }
  }
}

/** Adds `share` times each label's output to `into`. `from` is an offset in `says`. */
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

/** Fixed-point numbers of 1/1024, so that 16 bits hold values from -32 to 32. */
const PARTS = 1024
const MOST = 32767

function whole(value: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.round(value * PARTS)))
}
