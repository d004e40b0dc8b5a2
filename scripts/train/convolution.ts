import { type Convolution, WIDTH } from '../../src/classify/offline/model/convolution.ts'
import { eachGroup, LABELS, type Learner, MOST_TOKENS, type MoodTexts, NET_RATE } from './mood-learner.ts'
import { type Moved, type MovedVectors, move, moved, moveVector, scattered } from './steps.ts'

const FILTERS = 48
/** Filters that a text is read without, so that they do not lean on one another. */
const LEFT_OUT = 0.3
/** What the filters say in a group is learned in smaller steps than what they say everywhere. */
const OWN_RATE = 0.5

/**
 * Filters over the words in their order, and what they say of all texts and of each group. The words' vectors move with
 * them.
 */
export class ConvolutionLearner implements Learner<Convolution> {
  readonly learned: Convolution
  private readonly texts: MoodTexts
  private readonly vectors: MovedVectors
  private readonly random: () => number
  private readonly dimensions: number
  private readonly filters: Moved
  private readonly bias = moved(new Float32Array(FILTERS), 0.1)
  private readonly negated = moved(new Float32Array(FILTERS), 0.1)
  private readonly common: Moved
  private readonly own: Moved
  /** The words of the text and one place on either side. */
  private readonly words = new Int32Array(MOST_TOKENS + WIDTH - 1)
  private readonly present = new Float32Array(FILTERS)
  private readonly greatest = new Float32Array(FILTERS)
  private readonly place = new Int32Array(FILTERS)
  private readonly error = new Float32Array(FILTERS)
  private readonly wordError: Float32Array
  private readonly touched = new Uint8Array(this.words.length)

  constructor(texts: MoodTexts, vectors: MovedVectors, random: () => number) {
    this.texts = texts
    this.vectors = vectors
    this.random = random
    this.dimensions = vectors.dimensions
    const inputs = WIDTH * this.dimensions
    this.filters = moved(scattered(inputs * FILTERS, Math.sqrt(3 / inputs), random), 0.1)
    this.common = moved(scattered(LABELS * FILTERS, 0.5 * Math.sqrt(3 / FILTERS), random), 0.1)
    this.own = moved(new Float32Array(texts.groups * LABELS * FILTERS), 1)
    this.wordError = new Float32Array(this.words.length * this.dimensions)
    this.learned = {
      weights: this.filters.values,
      bias: this.bias.values,
      negated: this.negated.values,
      common: this.common.values,
      own: this.own.values,
    }
  }

  read(index: number, scores: Float64Array): void {
    const from = this.texts.wordStart[index]!
    const count = this.tokensOf(index)
    this.words.fill(-1, 0, count + WIDTH - 1)
    this.words.set(this.texts.word.subarray(from, from + count), BESIDE)
    this.greatest.fill(0)
    for (let token = 0; token < count; token += 1) {
      this.present.set(this.bias.values)
      if (this.texts.negated[from + token] === 1)
        for (let filter = 0; filter < FILTERS; filter += 1) this.present[filter]! += this.negated.values[filter]!
      for (let at = 0; at < WIDTH; at += 1) this.addWord(this.words[token + at]!, at)
      for (let filter = 0; filter < FILTERS; filter += 1) {
        if (this.present[filter]! <= this.greatest[filter]!) continue
        this.greatest[filter] = this.present[filter]!
        this.place[filter] = token
      }
    }
    for (let filter = 0; filter < FILTERS; filter += 1)
      this.greatest[filter] = this.random() < LEFT_OUT ? 0 : this.greatest[filter]! / (1 - LEFT_OUT)
    this.addSaid(this.common.values, 0, 1, scores)
    eachGroup(this.texts, index, (group, belongs) =>
      this.addSaid(this.own.values, group * LABELS * FILTERS, belongs, scores),
    )
  }

  learn(index: number, errors: Float64Array, shared: Float64Array, left: number): void {
    const rate = NET_RATE * left
    const from = this.texts.wordStart[index]!
    const count = this.tokensOf(index)
    this.error.fill(0)
    eachGroup(this.texts, index, (group, belongs) =>
      this.moveSaid(this.own, { block: group * LABELS * FILTERS, share: belongs }, shared, errors, OWN_RATE * rate),
    )
    this.moveSaid(this.common, { block: 0, share: 1 }, shared, shared, rate)
    this.wordError.fill(0, 0, (count + WIDTH - 1) * this.dimensions)
    this.touched.fill(0, 0, count + WIDTH - 1)
    for (let filter = 0; filter < FILTERS; filter += 1) {
      if (this.greatest[filter] === 0) continue
      const step = this.error[filter]! / (1 - LEFT_OUT)
      const token = this.place[filter]!
      move(this.bias, filter, step, rate)
      if (this.texts.negated[from + token] === 1) move(this.negated, filter, step, rate)
      for (let at = 0; at < WIDTH; at += 1)
        if (this.words[token + at]! >= 0) this.moveFilter(filter, at, token + at, step, rate)
    }
    for (let at = BESIDE; at < count + BESIDE; at += 1)
      if (this.touched[at] === 1) moveVector(this.vectors, this.words[at]!, this.wordError, at * this.dimensions, rate)
  }

  private addWord(word: number, at: number): void {
    if (word < 0) return
    for (let step = 0; step < this.dimensions; step += 1) {
      const value = this.vectors.values[word * this.dimensions + step]!
      const row = (at * this.dimensions + step) * FILTERS
      for (let filter = 0; filter < FILTERS; filter += 1)
        this.present[filter]! += value * this.filters.values[row + filter]!
    }
  }

  private addSaid(says: Float32Array, block: number, share: number, scores: Float64Array): void {
    for (let filter = 0; filter < FILTERS; filter += 1) {
      const value = this.greatest[filter]! * share
      if (value > 0)
        for (let label = 0; label < LABELS; label += 1)
          scores[label]! += value * says[block + label * FILTERS + filter]!
    }
  }

  /** Moves what is said, and adds what the filters should have said otherwise. */
  private moveSaid(
    says: Moved,
    { block, share }: { block: number; share: number },
    wanted: Float64Array,
    errors: Float64Array,
    rate: number,
  ): void {
    for (let label = 0; label < LABELS; label += 1) {
      for (let filter = 0; filter < FILTERS; filter += 1) {
        if (this.greatest[filter] === 0) continue
        const at = block + label * FILTERS + filter
        this.error[filter]! += share * wanted[label]! * says.values[at]!
        move(says, at, errors[label]! * share * this.greatest[filter]!, rate)
      }
    }
  }

  private moveFilter(filter: number, at: number, token: number, step: number, rate: number): void {
    const word = this.words[token]! * this.dimensions
    const into = token * this.dimensions
    this.touched[token] = 1
    for (let input = 0; input < this.dimensions; input += 1) {
      const row = (at * this.dimensions + input) * FILTERS + filter
      this.wordError[into + input]! += step * this.filters.values[row]!
      move(this.filters, row, step * this.vectors.values[word + input]!, rate)
    }
  }

  private tokensOf(index: number): number {
    return this.texts.wordStart[index + 1]! - this.texts.wordStart[index]!
  }
}

/** Words on either side of the one that a filter stands at. */
const BESIDE = (WIDTH - 1) / 2
