import { FAMILIES } from '../../src/classify/offline/model/family.ts'
import { inputsOf } from '../../src/classify/offline/sentiment/sentiment-parts.ts'
import { LABELS, type Learner, MOST_TOKENS, type MoodTexts, NET_RATE } from './mood-learner.ts'
import { type MovedVectors, move, moved, moveVector, scattered } from './steps.ts'

const UNITS = 32
/** Words that the net is not told of a text in each round, so that it does not lean on single ones. */
const LEFT_OUT = 0.3
/** How often the net is told the family: the words alone have to do where a platform writes like another. */
const FAMILY_TOLD = 0.8

/** The layer's weights as they are learned. */
export interface HiddenLayer {
  units: number
  first: Float32Array
  firstBias: Float32Array
  second: Float32Array
}

/** One hidden layer over the sums of the words' vectors. */
export function netLearner(texts: MoodTexts, vectors: MovedVectors, random: () => number): Learner<HiddenLayer> {
  const told = new ToldInputs(texts, vectors, random)
  const { inputs, errors } = told
  const width = inputs.length
  const first = moved(scattered(UNITS * width, Math.sqrt(3 / width), random), 0.1)
  const firstBias = moved(new Float32Array(UNITS), 0.1)
  const second = moved(scattered(UNITS * LABELS, 0.5 * Math.sqrt(3 / UNITS), random), 0.1)
  const hidden = new Float32Array(UNITS)

  const moveFirst = (unit: number, error: number, rate: number): void => {
    const row = unit * width
    for (let at = 0; at < width; at += 1) {
      errors[at]! += error * first.values[row + at]!
      move(first, row + at, error * inputs[at]!, rate)
    }
  }

  return {
    learned: { units: UNITS, first: first.values, firstBias: firstBias.values, second: second.values },
    read(index, scores) {
      told.choose(index)
      for (let unit = 0; unit < UNITS; unit += 1) {
        let sum = firstBias.values[unit]!
        for (let at = 0, row = unit * width; at < width; at += 1, row += 1) sum += first.values[row]! * inputs[at]!
        hidden[unit] = Math.max(sum, 0)
        if (sum > 0)
          for (let label = 0; label < LABELS; label += 1) scores[label]! += sum * second.values[label * UNITS + unit]!
      }
    },
    learn(_index, _errors, common, left) {
      const rate = NET_RATE * left
      errors.fill(0)
      for (let unit = 0; unit < UNITS; unit += 1) {
        if (hidden[unit] === 0) continue
        let error = 0
        for (let label = 0; label < LABELS; label += 1) {
          error += common[label]! * second.values[label * UNITS + unit]!
          move(second, label * UNITS + unit, common[label]! * hidden[unit]!, rate)
        }
        move(firstBias, unit, error, rate)
        moveFirst(unit, error, rate)
      }
      told.moveWords(rate)
    },
  }
}

/** What the net is told of a text: the sums of some of its words' vectors, its family and its language. */
class ToldInputs {
  readonly inputs: Float32Array
  /** How much each input has to change. */
  readonly errors: Float32Array
  private readonly texts: MoodTexts
  private readonly vectors: MovedVectors
  private readonly random: () => number
  /** The words that the net is told, and where among its inputs they are summed. */
  private readonly chosen = new Int32Array(MOST_TOKENS)
  private readonly chosenSide = new Int32Array(MOST_TOKENS)
  private known = 0
  private share = 0

  constructor(texts: MoodTexts, vectors: MovedVectors, random: () => number) {
    this.texts = texts
    this.vectors = vectors
    this.random = random
    this.inputs = new Float32Array(inputsOf(vectors.dimensions))
    this.errors = new Float32Array(this.inputs.length)
  }

  choose(index: number): void {
    const { texts, inputs, random } = this
    const { values, dimensions } = this.vectors
    this.known = 0
    inputs.fill(0)
    for (let at = texts.wordStart[index]!; at < texts.wordStart[index + 1]!; at += 1) {
      const word = texts.word[at]!
      if (word < 0 || random() < LEFT_OUT) continue
      const side = texts.negated[at]! * dimensions
      this.chosen[this.known] = word
      this.chosenSide[this.known] = side
      this.known += 1
      for (let step = 0; step < dimensions; step += 1) inputs[side + step]! += values[word * dimensions + step]!
    }
    this.share = this.known > 0 ? 1 / Math.sqrt(this.known) : 0
    for (let step = 0; step < 2 * dimensions; step += 1) inputs[step]! *= this.share
    inputs[2 * dimensions + texts.family[index]!] = random() < FAMILY_TOLD ? 1 : 0
    inputs[2 * dimensions + FAMILIES.length] = texts.english[index]!
  }

  /** Moves the vectors of the chosen words by the errors of their inputs. */
  moveWords(rate: number): void {
    const { vectors, errors, chosen, chosenSide, known, share } = this
    for (let step = 0; step < 2 * vectors.dimensions; step += 1) errors[step]! *= share
    for (let at = 0; at < known; at += 1) moveVector(vectors, chosen[at]!, errors, chosenSide[at]!, rate)
  }
}
