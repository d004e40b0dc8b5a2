import { factsOf, type Platform } from '../../../domain/platform/platforms.ts'
import { newSums, type PackedRows, packRows, sumRows } from '../model/packed-rows.ts'
import { KIND, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { type Grams, gramWeigher } from './language-grams.ts'
import { gatherMarks, LANGUAGE_BUCKETS, type LearnedLanguages, newLanguageMarks } from './language-marks.ts'

/** The two things by which languages are told apart: what a package knows of sixty, and what was learned beyond it. */
export interface Languages {
  grams: Grams
  learned: LearnedLanguages
}

/** What is known of a post besides its words. */
export interface LanguageHints {
  platform: Platform
  /** The language that the platform names, in its own way of writing it; null when it names none. */
  languageHint: string | null
}

/**
 * The language of a text as an ISO 639-1 code; null when there is hardly anything to read beside the words (by their
 * hashes) of the name that was searched for, which is the same in every language.
 */
export type LanguageOf = (tokens: Tokens, circumstances: LanguageHints, name?: readonly number[]) => string | null

/**
 * Tells languages apart by the first words of a text; addresses, handles, hashtags and numbers are left out. The hint
 * of the platform counts for something, and decides where hardly anything is written.
 */
export function languagesOf({ grams, learned }: Languages): LanguageOf {
  const { languages, trust, bias, scale, language, weight } = learned
  const begin = beginsOf(learned.counts)
  const dense = denseRows(learned, begin)
  const denseMarks = new Int32Array(LANGUAGE_BUCKETS)
  const weigh = gramWeigher(grams)
  const marks = newLanguageMarks()
  const scores = new Float64Array(languages.length)
  const steps = newSums(dense.rows)
  const english = languages.indexOf('en')
  return (tokens, { platform, languageHint }, name = []) => {
    if (surelyEnglish(tokens)) return 'en'
    const hinted = languageHint === null ? -1 : languages.indexOf(codeOf(languageHint))
    if (lettersIn(tokens, name) < LEAST_LETTERS)
      return hinted >= 0 && lettersIn(tokens, []) > 0 ? languages[hinted]! : null
    weigh(tokens, scores)
    gatherMarks(tokens, marks)
    let many = 0
    for (let at = 0; at < marks.count; at += 1) {
      const row = dense.rowOf[marks.bucket[at]!]!
      if (row >= 0) denseMarks[many++] = row
    }
    sumRows(dense.rows, denseMarks, many, steps)
    for (let at = 0; at < marks.count; at += 1) {
      const bucket = marks.bucket[at]!
      if (dense.rowOf[bucket]! >= 0) continue
      const end = begin[bucket + 1]!
      for (let entry = begin[bucket]!; entry < end; entry += 1) steps[language[entry]!]! += weight[entry]!
    }
    const length = Math.sqrt(marks.count + 1)
    const unit = scale / length
    for (let at = 0; at < scores.length; at += 1) scores[at] = trust * scores[at]! + bias[at]! + unit * steps[at]!
    scores[english]! -= LENT * Math.max(0, length - SHORT)
    if (factsOf(platform).writing.mostlyEnglish) scores[english]! += HOME
    if (hinted >= 0) scores[hinted]! += HINTED
    let best = 0
    for (let at = 1; at < scores.length; at += 1) if (scores[at]! > scores[best]!) best = at
    return languages[best]!
  }
}

function beginsOf(counts: Uint8Array): Uint32Array {
  const begin = new Uint32Array(LANGUAGE_BUCKETS + 1)
  for (let bucket = 0; bucket < LANGUAGE_BUCKETS; bucket += 1) begin[bucket + 1] = begin[bucket]! + counts[bucket]!
  return begin
}

/**
 * The buckets that speak for or against many languages, with a weight for every language; they are most of a text's.
 */
interface DenseRows {
  /** For each bucket its row, or -1. */
  rowOf: Int16Array
  rows: PackedRows
}

function denseRows({ languages, counts, language, weight }: LearnedLanguages, begin: Uint32Array): DenseRows {
  const rowOf = new Int16Array(LANGUAGE_BUCKETS).fill(-1)
  let rows = 0
  for (let bucket = 0; bucket < LANGUAGE_BUCKETS; bucket += 1)
    if (counts[bucket]! >= MANY_LANGUAGES) rowOf[bucket] = rows++
  const weights = new Int8Array(rows * languages.length)
  for (let bucket = 0; bucket < LANGUAGE_BUCKETS; bucket += 1) {
    const row = rowOf[bucket]!
    if (row < 0) continue
    for (let entry = begin[bucket]!; entry < begin[bucket + 1]!; entry += 1)
      weights[row * languages.length + language[entry]!]! += weight[entry]!
  }
  return { rowOf, rows: packRows(weights, languages.length) }
}

/** Words that only English has, two or more and one word in five: by far the most frequent case needs no more. */
function surelyEnglish(tokens: Tokens): boolean {
  let words = 0
  let english = 0
  for (let at = 0; at < tokens.count; at += 1) {
    if (tokens.kind[at] === KIND.unspaced) return false
    if (tokens.kind[at] !== KIND.word) continue
    words += 1
    if (ONLY_ENGLISH.has(tokens.hash[at]!)) english += 1
  }
  return english >= 2 && english * 5 >= words
}

/** Characters of words, where one of a script without spaces counts three times because it says as much. */
function lettersIn(tokens: Tokens, without: readonly number[]): number {
  let letters = 0
  for (let at = 0; at < tokens.count && letters < LEAST_LETTERS; at += 1) {
    if (without.includes(tokens.hash[at]!)) continue
    const length = tokens.end[at]! - tokens.start[at]!
    if (tokens.kind[at] === KIND.word) letters += length
    else if (tokens.kind[at] === KIND.unspaced) letters += 3 * length
  }
  return letters
}

/** `pt-BR`, `PT` and `pt_br` are `pt`; some platforms write old codes. */
function codeOf(hint: string): string {
  const code = hint.slice(0, 2).toLowerCase()
  return OTHER_CODES.get(code) ?? code
}

const LEAST_LETTERS = 4
/** From here on a weight for every language is sooner added than one after the other. */
const MANY_LANGUAGES = 12
/** What a place where nearly everything is English, and what a hint count for, in natural logarithms of odds. */
const HOME = 1
const HINTED = 1.5
/**
 * Every language quotes English, titles and slogans most of all, and English hardly any: the longer a text, the surer
 * its English has to be. It is taken off for each unit by which the root of the number of marks exceeds that of two or
 * three words.
 */
const LENT = 0.2
const SHORT = 7
const OTHER_CODES = new Map([
  ['no', 'nb'],
  ['iw', 'he'],
  ['in', 'id'],
])
const ONLY_ENGLISH = hashesOfList('language/words/only-english')
