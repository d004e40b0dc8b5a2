import { type Grams, gramWeigher, loadGrams } from '../../src/classify/offline/language/language-grams.ts'
import {
  encodeLanguages,
  gatherMarks,
  LANGUAGE_BUCKETS,
  type LearnedLanguages,
  newLanguageMarks,
} from '../../src/classify/offline/language/language-marks.ts'
import { softmax } from '../../src/classify/offline/model/heads.ts'
import { newTokens, tokenise } from '../../src/classify/offline/text/tokens.ts'
import { isValidation, type Row, rowsOf, withoutCopies } from './data.ts'
import type { Stage } from './stage.ts'

const GRAMS = await loadGrams()

/** The languages of texts, beyond what the n-grams of the package know. */
export const languageStage: Stage = {
  name: 'language',
  learn: () => ({
    heads: {},
    sections: { 'language.marks': encodeLanguages(learnLanguages(languageSamples(), GRAMS)) },
    numbers: {},
  }),
}

/** A text of a known language. */
interface Sample {
  row: Row
  language: string
  weight: number
}

/**
 * Texts of the sets that name their language, and English of other kinds of posts; nothing of what is kept for
 * validation.
 */
function languageSamples(): Sample[] {
  const of = (
    set: string,
    languageOf: (row: Row) => string,
    weight: number,
    limit = Number.POSITIVE_INFINITY,
  ): Sample[] =>
    rowsOf(set)
      .filter((row) => !isValidation(set, row))
      .slice(0, limit)
      .map((row) => ({ row, language: languageOf(row), weight }))
  const named = (row: Row) => String(row.lang)
  const kept = NAMING_SETS.flatMap((set) => rowsOf(set).flatMap((row) => (isValidation(set, row) ? [{ row }] : [])))
  const samples = [
    ...of('langid', named, 1),
    // Hindi in Latin letters was tried: it costs English more than it gains.
    ...of('umsab_multilingual', named, 1).filter(({ language }) => language !== 'hi'),
    ...ENGLISH_SETS.flatMap((set) => of(set, () => 'en', ENGLISH_WEIGHT, ENGLISH_ROWS)),
  ]
  return withoutCopies(samples, kept)
}

/**
 * Learns what the n-grams do not know: languages that they lack, near relatives, and short or casual texts. It is a
 * softmax over the marks of a text whose starting point is what the n-grams say.
 */
function learnLanguages(samples: readonly Sample[], grams: Grams): LearnedLanguages {
  const languages = [...new Set([...grams.languages, ...samples.map(({ language }) => language)])]
  const lessons = lessonsOf(samples, grams, languages)
  const weights = new Float32Array(languages.length * LANGUAGE_BUCKETS)
  const squares = new Float32Array(weights.length).fill(1e-3)
  const bias = new Float64Array(languages.length)
  const scores = new Float64Array(languages.length)
  let trust = FIRST_TRUST
  const random = randomFrom(1)
  const order = lessons.map((_, at) => at)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(order, random)
    for (const at of order) {
      const { marks, evidence, target, weight } = lessons[at]!
      const norm = 1 / Math.sqrt(marks.length + 1)
      for (let k = 0; k < scores.length; k += 1) scores[k] = trust * evidence[k]! + bias[k]!
      for (const mark of marks)
        for (let k = 0, from = mark * scores.length; k < scores.length; k += 1) scores[k]! += weights[from + k]! * norm
      softmax(scores, 1)
      scores[target]! -= 1
      const wrong: number[] = []
      for (let k = 0; k < scores.length; k += 1) {
        const slope = weight * scores[k]!
        bias[k]! -= BIAS_RATE * slope
        trust -= TRUST_RATE * slope * evidence[k]!
        scores[k] = slope
        if (Math.abs(slope) > LEAST_SLOPE) wrong.push(k)
      }
      for (const mark of marks)
        for (const k of wrong) {
          const slope = scores[k]! * norm
          const place = mark * scores.length + k
          squares[place]! += slope * slope
          weights[place]! -= (RATE * slope) / Math.sqrt(squares[place]!)
        }
    }
  }
  return pruned({ languages, trust, bias: [...bias] }, weights)
}

interface Lesson {
  marks: Int32Array
  evidence: Float32Array
  target: number
  weight: number
}

function lessonsOf(samples: readonly Sample[], grams: Grams, languages: readonly string[]): Lesson[] {
  const counts = new Map<string, number>()
  for (const { language } of samples) counts.set(language, (counts.get(language) ?? 0) + 1)
  const tokens = newTokens()
  const marks = newLanguageMarks()
  const weigh = gramWeigher(grams)
  const scores = new Float64Array(languages.length)
  return samples.flatMap(({ row: { text }, language, weight }, at) => {
    const target = languages.indexOf(language)
    const lessons: Lesson[] = []
    for (const [part, share] of [
      [text, 1],
      [beginningOf(text, at), SHORT_SHARE],
    ] as const) {
      tokenise(part, tokens)
      weigh(tokens, scores)
      gatherMarks(tokens, marks)
      // Many texts of the sets of one language are in another one.
      if (marks.count === 0 || seemsMislabelled(scores, target, grams.languages.length)) continue
      lessons.push({
        marks: marks.bucket.slice(0, marks.count),
        evidence: Float32Array.from(scores),
        target,
        weight: share * weight * Math.min(MOST_RARE, Math.sqrt(2000 / counts.get(language)!)),
      })
    }
    return lessons
  })
}

/** The n-grams know the language that the row names, and are sure of another one. */
function seemsMislabelled(scores: Float64Array, target: number, known: number): boolean {
  if (target >= known) return false
  let best = 0
  for (let k = 1; k < known; k += 1) if (scores[k]! > scores[best]!) best = k
  return best !== target && scores[best]! > CLEARLY * scores[target]!
}

/** The first two to six words. */
function beginningOf(text: string, at: number): string {
  return text
    .replace(/https?:\/\/\S+|@\w+/g, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 2 + (at % 5))
    .join(' ')
}

/** Small weights are left out, the others rounded: neither costs any accuracy, and the file becomes a tenth. */
function pruned(rest: Pick<LearnedLanguages, 'languages' | 'trust' | 'bias'>, weights: Float32Array): LearnedLanguages {
  const counts = new Uint8Array(LANGUAGE_BUCKETS)
  const language: number[] = []
  const weight: number[] = []
  for (let bucket = 0; bucket < LANGUAGE_BUCKETS; bucket += 1)
    for (let k = 0; k < rest.languages.length; k += 1) {
      const value = weights[bucket * rest.languages.length + k]!
      if (Math.abs(value) < LEAST_WEIGHT) continue
      counts[bucket]! += 1
      language.push(k)
      weight.push(Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(value / STEP))))
    }
  return { ...rest, scale: STEP, counts, language: Uint8Array.from(language), weight: Int8Array.from(weight) }
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Sets whose rows say their language. */
const NAMING_SETS = ['langid', 'umsab_multilingual']
const ENGLISH_SETS = ['tweeteval_sentiment', 'goemotions', 'se_stackoverflow', 'weak_intents', 'appreviews_maalej']
const ENGLISH_ROWS = 4000
const ENGLISH_WEIGHT = 0.5
const EPOCHS = 5
const RATE = 0.2
const BIAS_RATE = 0.002
const TRUST_RATE = 1e-6
const FIRST_TRUST = 0.15
const LEAST_SLOPE = 1e-3
/** A text of a rare language counts up to so many times. */
const MOST_RARE = 4
/** The first words of a text are learned beside the whole of it, for so much. */
const SHORT_SHARE = 0.5
/** The n-grams know a language better when their mean weight is higher by this factor. */
const CLEARLY = 1.03
const LEAST_WEIGHT = 0.5
const STEP = 0.08
const MOST_STEPS = 31
