/**
 * Trains the offline classifier from the labelled sets beside the repository and writes `models/offline-1.bin`. The same
 * data gives the same file. With `--eval` it only prints how the present model does (see `train/evaluate.ts`).
 */
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FEATURE_BITS } from '../src/classify/offline/features.ts'
import { decodeModel, encodeModel, type Head, MODEL_ADDRESS, type Model, type WordVectors } from '../src/classify/offline/model-file.ts'
import { SENTIMENTS } from '../src/domain/mention/classification.ts'
import { DATA_FOLDER, LEARNED_INTENTS } from './train/data.ts'
import { evaluate } from './train/evaluate.ts'
import { type Example, featureRows, gatherExamples, intentTargets, rarityOfWords, sentimentTargets } from './train/examples.ts'
import { quantise, type Rows, scoresOf, train } from './train/linear.ts'
import { wordVectors } from './train/neighbours.ts'
import { isValidationTerm, pairings, termsOf } from './train/relevance.ts'

/** The date that the model file and its card carry; set by hand so that the same data gives the same bytes. */
const TRAINED_AT = '2026-11-21'
const INTENT_BITS = 16

if (!existsSync(DATA_FOLDER)) {
  console.error(`The labelled sets are not there: ${fileURLToPath(DATA_FOLDER)}`)
  process.exit(1)
}
if (!process.argv.includes('--eval')) trainAll()
await evaluate()

function trainAll(): void {
  const { training, validation } = gatherExamples()
  console.log(`${training.length} texts to learn from, ${validation.length} kept for validation`)
  const rows = featureRows(training)
  const kept = featureRows(validation)
  const rarity = rarityOfWords(training)
  const sentiment = trainSentiment(training, rows)
  const intents = withThresholds(trainIntents(training, rows), validation, kept)
  const model: Model = {
    trainedAt: TRAINED_AT,
    temperature: temperatureOf(sentiment, validation, kept),
    sentiment,
    intents,
    vectors: vectorsOf(training, rarity),
    rarity,
  }
  const bytes = encodeModel(model)
  decodeModel(bytes)
  writeFileSync(MODEL_ADDRESS, bytes)
  console.log(`${fileURLToPath(MODEL_ADDRESS)}: ${bytes.length} bytes, temperature ${model.temperature}`)
}

function trainSentiment(training: readonly Example[], rows: Rows): Head {
  const task = { rows, labels: SENTIMENTS, ...sentimentTargets(training), oneWinner: true, bits: FEATURE_BITS, epochs: 7, rate: 0.15, decay: 3e-4 }
  return quantise(task, train(task))
}

function trainIntents(training: readonly Example[], rows: Rows): Head {
  const task = { rows, labels: LEARNED_INTENTS, ...intentTargets(training), oneWinner: false, bits: INTENT_BITS, epochs: 7, rate: 0.15, decay: 3e-4 }
  return quantise(task, train(task))
}

function vectorsOf(training: readonly Example[], rarity: Uint8Array): WordVectors {
  const all = pairings()
  const terms = termsOf(all)
  const texts = all.filter((one) => !isValidationTerm(one.term, terms)).map((one) => one.text)
  return wordVectors({ rarity }, [...training.map(({ row }) => row.text), ...texts])
}

/**
 * Moves every intent's bias so that a score above zero means "tag it": the point of the best F1 on the validation rows.
 */
function withThresholds(head: Head, validation: readonly Example[], kept: Rows): Head {
  const { target, weight } = intentTargets(validation)
  const scores = scoresOf(head, kept)
  const labels = head.labels.length
  const bias = head.bias.map((value, label) => {
    const known = validation.flatMap((_, index) => {
      const wanted = target[index * labels + label]!
      return wanted < 0 ? [] : [{ score: scores[index * labels + label]!, wanted: wanted === 1, weight: weight[index]! }]
    })
    return value - bestThreshold(known)
  })
  return { ...head, bias }
}

function bestThreshold(known: { score: number; wanted: boolean; weight: number }[]): number {
  const sorted = [...known].sort((a, b) => b.score - a.score)
  const all = known.reduce((sum, one) => sum + (one.wanted ? one.weight : 0), 0)
  let found = 0
  let taken = 0
  let best = { f1: 0, score: 0 }
  for (const one of sorted) {
    taken += one.weight
    if (one.wanted) found += one.weight
    const f1 = (2 * found) / (taken + all)
    if (f1 > best.f1) best = { f1, score: one.score }
  }
  return best.score - 1e-6
}

/** The temperature under which the probabilities of the validation rows' own answers are most likely. */
function temperatureOf(head: Head, validation: readonly Example[], kept: Rows): number {
  const scores = scoresOf(head, kept)
  let best = { loss: Number.POSITIVE_INFINITY, temperature: 1 }
  for (let temperature = 0.5; temperature <= 3; temperature = Math.round(100 * (temperature + 0.05)) / 100) {
    let loss = 0
    for (const [index, { lesson }] of validation.entries()) {
      if (!lesson.sentiment) continue
      const own = [0, 1, 2].map((label) => Math.exp(scores[index * 3 + label]! / temperature))
      loss -= Math.log(own[SENTIMENTS.indexOf(lesson.sentiment)]! / (own[0]! + own[1]! + own[2]!))
    }
    if (loss < best.loss) best = { loss, temperature }
  }
  return best.temperature
}
