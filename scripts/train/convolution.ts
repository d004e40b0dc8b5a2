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
export function convolutionLearner(
  texts: MoodTexts,
  vectors: MovedVectors,
  random: () => number,
): Learner<Convolution> {
  const { dimensions } = vectors
  const inputs = WIDTH * dimensions
  const filters = moved(scattered(inputs * FILTERS, Math.sqrt(3 / inputs), random), 0.1)
  const bias = moved(new Float32Array(FILTERS), 0.1)
  const negated = moved(new Float32Array(FILTERS), 0.1)
  const common = moved(scattered(LABELS * FILTERS, 0.5 * Math.sqrt(3 / FILTERS), random), 0.1)
  const own = moved(new Float32Array(texts.groups * LABELS * FILTERS), 1)

  /** The words of the text and one place on either side. */
  const words = new Int32Array(MOST_TOKENS + WIDTH - 1)
  const present = new Float32Array(FILTERS)
  const greatest = new Float32Array(FILTERS)
  const place = new Int32Array(FILTERS)
  const error = new Float32Array(FILTERS)
  const wordError = new Float32Array(words.length * dimensions)
  const touched = new Uint8Array(words.length)

  const tokensOf = (index: number) => texts.wordStart[index + 1]! - texts.wordStart[index]!

  const read = (index: number, scores: Float64Array): void => {
    const from = texts.wordStart[index]!
    const count = tokensOf(index)
    words.fill(-1, 0, count + WIDTH - 1)
    words.set(texts.word.subarray(from, from + count), BESIDE)
    greatest.fill(0)
    for (let token = 0; token < count; token += 1) {
      present.set(bias.values)
      if (texts.negated[from + token] === 1)
        for (let filter = 0; filter < FILTERS; filter += 1) present[filter]! += negated.values[filter]!
      for (let at = 0; at < WIDTH; at += 1) addWord(words[token + at]!, at)
      for (let filter = 0; filter < FILTERS; filter += 1) {
        if (present[filter]! <= greatest[filter]!) continue
        greatest[filter] = present[filter]!
        place[filter] = token
      }
    }
    for (let filter = 0; filter < FILTERS; filter += 1)
      greatest[filter] = random() < LEFT_OUT ? 0 : greatest[filter]! / (1 - LEFT_OUT)
    addSaid(common.values, 0, 1, scores)
    eachGroup(texts, index, (group, belongs) => addSaid(own.values, group * LABELS * FILTERS, belongs, scores))
  }

  const addWord = (word: number, at: number): void => {
    if (word < 0) return
    for (let step = 0; step < dimensions; step += 1) {
      const value = vectors.values[word * dimensions + step]!
      const row = (at * dimensions + step) * FILTERS
      for (let filter = 0; filter < FILTERS; filter += 1) present[filter]! += value * filters.values[row + filter]!
    }
  }

  const addSaid = (says: Float32Array, block: number, share: number, scores: Float64Array): void => {
    for (let filter = 0; filter < FILTERS; filter += 1) {
      const value = greatest[filter]! * share
      if (value > 0)
        for (let label = 0; label < LABELS; label += 1)
          scores[label]! += value * says[block + label * FILTERS + filter]!
    }
  }

  const learn = (index: number, errors: Float64Array, shared: Float64Array, left: number): void => {
    const rate = NET_RATE * left
    const from = texts.wordStart[index]!
    const count = tokensOf(index)
    error.fill(0)
    eachGroup(texts, index, (group, belongs) =>
      moveSaid(own, group * LABELS * FILTERS, belongs, shared, errors, OWN_RATE * rate),
    )
    moveSaid(common, 0, 1, shared, shared, rate)
    wordError.fill(0, 0, (count + WIDTH - 1) * dimensions)
    touched.fill(0, 0, count + WIDTH - 1)
    for (let filter = 0; filter < FILTERS; filter += 1) {
      if (greatest[filter] === 0) continue
      const step = error[filter]! / (1 - LEFT_OUT)
      const token = place[filter]!
      move(bias, filter, step, rate)
      if (texts.negated[from + token] === 1) move(negated, filter, step, rate)
      for (let at = 0; at < WIDTH; at += 1) if (words[token + at]! >= 0) moveFilter(filter, at, token + at, step, rate)
    }
    for (let at = BESIDE; at < count + BESIDE; at += 1)
      if (touched[at] === 1) moveVector(vectors, words[at]!, wordError, at * dimensions, rate)
  }

  /** Moves what is said, and adds what the filters should have said otherwise. */
  const moveSaid = (
    says: Moved,
    block: number,
    share: number,
    wanted: Float64Array,
    errors: Float64Array,
    rate: number,
  ): void => {
    for (let label = 0; label < LABELS; label += 1) {
      for (let filter = 0; filter < FILTERS; filter += 1) {
        if (greatest[filter] === 0) continue
        const at = block + label * FILTERS + filter
        error[filter]! += share * wanted[label]! * says.values[at]!
        move(says, at, errors[label]! * share * greatest[filter]!, rate)
      }
    }
  }

  const moveFilter = (filter: number, at: number, token: number, step: number, rate: number): void => {
    const word = words[token]! * dimensions
    const into = token * dimensions
    touched[token] = 1
    for (let input = 0; input < dimensions; input += 1) {
      const row = (at * dimensions + input) * FILTERS + filter
      wordError[into + input]! += step * filters.values[row]!
      move(filters, row, step * vectors.values[word + input]!, rate)
    }
  }

  return {
    learned: {
      weights: filters.values,
      bias: bias.values,
      negated: negated.values,
      common: common.values,
      own: own.values,
    },
    read,
    learn,
  }
}

/** Words on either side of the one that a filter stands at. */
const BESIDE = (WIDTH - 1) / 2
