import { createHash } from 'node:crypto'
import { addCues } from '../../src/classify/offline/cues/cues.ts'
import {
  cueSign,
  signCount,
  signsOf,
  TONE_SIGNS,
  type Venue,
  venueOf,
  WHOLE_CUE,
} from '../../src/classify/offline/cues/signs.ts'
import {
  LINED,
  type Lined,
  linedOf,
  MOST_ROWS,
  OPINIONS,
  PURPOSES,
  purposeRows,
} from '../../src/classify/offline/intents/intents.ts'
import { oddsOfRuns, SPELLING_PART } from '../../src/classify/offline/intents/spelling.ts'
import { plainTerm } from '../../src/classify/offline/keyword/keyword.ts'
import { type Directions, directionsOf } from '../../src/classify/offline/model/directions.ts'
import type { ModelFileHead, Parts } from '../../src/classify/offline/model/model-file.ts'
import { toneOf } from '../../src/classify/offline/sentiment/sentiment.ts'
import { type Moods, moodsOf } from '../../src/classify/offline/sentiment/sentiment-model.ts'
import { newReading, readPlain } from '../../src/classify/offline/text/reading.ts'
import { INTENTS, SENTIMENTS } from '../../src/domain/mention/classification.ts'
import { comparingParts } from './comparing.ts'
import { type Purpose, type PurposeExample, purposeExamples } from './intent-examples.ts'
import {
  type DoubtedTask,
  FINE_STEPS,
  inSteps,
  type JointRows,
  type JointTask,
  type JointWeights,
  scoreJointly,
  trainTwice,
} from './joint.ts'
import { type Spelled, spelledTexts, spellingHead } from './spelling.ts'
import type { Stage } from './stage.ts'

const BITS = 17
const SIGN_BITS = 9
const LABELS = PURPOSES.length
const FOLDS = 4
/** Steps between nothing and the largest weight of a label. */
const STEPS = 20

/**
 * A logistic for every purpose over words and signs, the lines at which a purpose is given, and who wins comparisons.
 * How a text sounds is a sign as well: whoever likes a thing is likelier to buy it.
 */
export const intentsStage: Stage = {
  name: 'intents',
  follows: ['sentiment'],
  learn({ vectors }, before) {
    const directions = directionsOf(vectors)
    return purposeParts(purposeExamples().training, { directions, moods: moodsOf(before, directions) })
  },
}

/** What texts are read with. */
interface Readers {
  directions: Directions
  moods: Moods
}

function purposeParts(training: readonly PurposeExample[], readers: Readers): Parts {
  const task = taskOf(training, readers)
  const weights = trainTwice(task, [...training.keys()])
  // Where no text of a venue teaches a purpose, its line is drawn by what the texts of others score when they stand
  // there.
  const abroad = rowsOfExamples(training, readers, STRANGE_VENUE)
  const [atHome, strange] = outOfFoldScores(training, task, [task.rows, abroad])
  const texts = spelledTexts(training)
  addSpelling(training, texts, atHome!)
  return partsOf(
    training,
    weights,
    spellingHead(texts.filter(({ at }) => training[at]!.stars === null)),
    linesOf(training, task, atHome!, strange!),
  )
}

function partsOf(
  training: readonly PurposeExample[],
  weights: JointWeights,
  spelling: ModelFileHead,
  lines: number[],
): Parts {
  const head = inSteps(weights.weights, PURPOSES, BITS, weights.bias, STEPS)
  const padded = new Float32Array(LABELS << SIGN_BITS)
  padded.set(weights.signs)
  const comparing = comparingParts(training)
  return {
    heads: {
      ...comparing.heads,
      intents: head,
      [SPELLING_PART]: spelling,
      'intents.signs': inSteps(padded, PURPOSES, SIGN_BITS, new Float64Array(LABELS), FINE_STEPS),
    },
    sections: comparing.sections,
    numbers: { 'intents.lines': lines },
  }
}

function taskOf(examples: readonly PurposeExample[], readers: Readers): DoubtedTask {
  const target = new Float32Array(examples.length * LABELS).fill(-1)
  const weight = Float32Array.from(examples, (example) => example.weight)
  const has = new Float64Array(LABELS)
  const hasNot = new Float64Array(LABELS)
  for (const [at, { known, weight: own }] of examples.entries()) {
    for (const [label, purpose] of PURPOSES.entries()) {
      const value = known[purpose]
      if (value === undefined) continue
      target[at * LABELS + label] = value
      ;(value === 1 ? has : hasNot)[label]! += own
    }
  }
  const presence = PURPOSES.map((_, label) =>
    Math.max(1, Math.min(10, (hasNot[label]! / Math.max(1, has[label]!)) ** 0.5)),
  )
  const startOfSigns = new Float32Array(signCount(readers.directions) * LABELS)
  for (let intent = 0; intent < INTENTS.length; intent += 1) startOfSigns[cueSign(intent) * LABELS + intent] = WHOLE_CUE
  // Of some texts with an opinion the sentiment has learned that same label, so there the tone is surer than it will be
  // elsewhere.
  const settled = new Uint8Array(startOfSigns.length)
  for (const sign of TONE_SIGNS) for (const opinion of OPINIONS) settled[sign * LABELS + opinion] = 1
  return {
    rows: rowsOfExamples(examples, readers),
    labels: LABELS,
    target,
    weight,
    presence,
    bits: BITS,
    startOfSigns,
    settled,
    firm: Uint8Array.from(examples, ({ set }) => (MADE_BY_HAND.has(set) ? 1 : 0)),
    epochs: 8,
    rate: 0.2,
    signRate: 0.1,
    decay: 5e-4,
  }
}

function rowsOfExamples(
  examples: readonly PurposeExample[],
  { directions, moods }: Readers,
  standing?: Venue,
): JointRows {
  const reading = newReading()
  const cues = new Float64Array(INTENTS.length)
  const signs = new Float64Array(signCount(directions))
  const tone = new Float64Array(SENTIMENTS.length)
  const all = new Int32Array(MOST_ROWS)
  const rows = examples.map(({ row, platform, term, stars }) => {
    readPlain(row.text, reading)
    const venue = standing ?? venueOf(platform)
    addCues(reading.tokens, cues)
    toneOf(moods, reading, platform, plainTerm(term ?? ''), tone)
    signsOf(reading, { venue, stars, cues, tone }, directions, signs)
    const buckets = all.slice(0, purposeRows(reading, venue, BITS, all))
    return { buckets, signs: Float32Array.from(signs) }
  })
  return { buckets: rows.map((row) => row.buckets), signs: rows.map((row) => row.signs) }
}

/** The scores that every text gets, row by row in each of the forms, from a model that has not seen it. */
function outOfFoldScores(
  examples: readonly PurposeExample[],
  task: DoubtedTask,
  forms: readonly JointRows[],
): Float64Array[] {
  const folds = examples.map(foldOf)
  const scores = forms.map(() => new Float64Array(examples.length * LABELS))
  const score = new Float64Array(LABELS)
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const weights = trainTwice(
      task,
      [...examples.keys()].filter((at) => folds[at] !== fold),
    )
    for (const [at, own] of folds.entries()) {
      if (own !== fold) continue
      for (const [form, { buckets, signs }] of forms.entries()) {
        scoreJointly(weights, buckets[at]!, signs[at]!, score)
        scores[form]!.set(score, at * LABELS)
      }
    }
  }
  return scores
}

/** Adds to the scores what the spelling of every text says, learned from texts of other folds. */
function addSpelling(examples: readonly PurposeExample[], texts: readonly Spelled[], scores: Float64Array): void {
  const folds = texts.map(({ at }) => foldOf(examples[at]!))
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const head = spellingHead(texts.filter(({ at }, index) => folds[index] !== fold && examples[at]!.stars === null))
    for (const [index, { at, venue, label, buckets }] of texts.entries())
      if (folds[index] === fold)
        scores[at * LABELS + label]! += oddsOfRuns(head, { bucket: buckets, count: buckets.length }, venue)
  }
}

function foldOf({ set, row }: PurposeExample): number {
  return createHash('sha256').update(`fold:${set}:${row.id}`).digest().readUInt32BE(0) % FOLDS
}

/** For every one of LINED and every purpose the score at which the purpose is given. */
function linesOf(
  examples: readonly PurposeExample[],
  { target, weight }: JointTask,
  atHome: Float64Array,
  abroad: Float64Array,
): number[] {
  const gather = (scores: Float64Array, label: number, takes: (example: PurposeExample) => boolean) =>
    examples.flatMap((example, at) => {
      const wanted = target[at * LABELS + label]!
      return wanted < 0 || !takes(example)
        ? []
        : [{ score: scores[at * LABELS + label]!, wanted: wanted === 1, weight: weight[at]! }]
    })
  const lineFor = (lined: Lined, purpose: Purpose, label: number): number => {
    const caution = CAUTIOUS.has(purpose) ? 0.015 : 0
    const own = gather(
      atHome,
      label,
      ({ platform, set, stars }) => set !== 'seeds' && linedOf(venueOf(platform), stars) === lined,
    )
    if (own.filter((item) => item.wanted).length >= LEAST_EXAMPLES) return lineOf(own, caution)
    if (lined === 'starred') return lineFor('reviews', purpose, label)
    const others = gather(abroad, label, ({ set, stars }) => set !== 'seeds' && stars === null)
    if (others.some((other) => other.wanted)) return lineOf(others, caution)
    return loosestLineOf(gather(abroad, label, ({ set }) => set === 'seeds'))
  }
  return LINED.flatMap((lined) =>
    PURPOSES.map((purpose, label) => Math.round(1000 * lineFor(lined, purpose, label)) / 1000),
  )
}

interface Scored {
  score: number
  wanted: boolean
  weight: number
}

/**
 * The middle of the scores whose F1 comes within half a point of the best, so that the line does not hang on a few
 * texts; with caution the highest score whose F1 comes so close to the best.
 */
function lineOf(known: readonly Scored[], caution: number): number {
  const good = bestPoints(known, Math.max(0.005, caution))
  return caution > 0 ? good[0]! : (good[0]! + good.at(-1)!) / 2
}

/**
 * Seeds are fewer and plainer than what people write, so less than the lowest score that tells them apart is enough.
 */
function loosestLineOf(seeds: readonly Scored[]): number {
  return bestPoints(seeds, 0.04).at(-1)! - SEED_MARGIN
}

/** The scores whose F1 comes this close to the best, from high to low. */
function bestPoints(known: readonly Scored[], near: number): number[] {
  const sorted = [...known].sort((a, b) => b.score - a.score)
  const all = known.reduce((sum, item) => sum + (item.wanted ? item.weight : 0), 0)
  let found = 0
  let taken = 0
  let best = 0
  const points = sorted.map((item) => {
    taken += item.weight
    if (item.wanted) found += item.weight
    const f1 = (2 * found) / (taken + all)
    best = Math.max(best, f1)
    return { score: item.score, f1 }
  })
  return points.filter(({ f1 }) => f1 >= best - near).map(({ score }) => score)
}

const MADE_BY_HAND: ReadonlySet<string> = new Set(['seeds', 'issues'])
const LEAST_EXAMPLES = 25
const SEED_MARGIN = 0.7
/** A venue of which no set holds texts. */
const STRANGE_VENUE: Venue = 'developer'
/**
 * Purposes that are a burden where they are given too often and that nothing else holds back: a few points of F1 are
 * paid for precision.
 */
const CAUTIOUS: ReadonlySet<string> = new Set(['testimonial', 'industry_insight'])
