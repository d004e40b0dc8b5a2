import type { Mark, Subject } from '../../src/classify/contract.ts'
import { type PreparedKeyword, prepareKeyword } from '../../src/classify/offline/keyword/keyword.ts'
import type { Directions } from '../../src/classify/offline/model/directions.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import { EVIDENCE, newEvidence } from '../../src/classify/offline/relevance/evidence.ts'
import { gatherEvidence } from '../../src/classify/offline/relevance/gather-evidence.ts'
import { leaningCache } from '../../src/classify/offline/relevance/marks.ts'
import { type RelevanceWeights, relevanceModelOf } from '../../src/classify/offline/relevance/odds.ts'
import { relevanceOf } from '../../src/classify/offline/relevance/relevance.ts'
import { newReading, read } from '../../src/classify/offline/text/reading.ts'
import type { Rarity } from '../../src/classify/offline/text/terms.ts'
import { rowsOf } from './data.ts'
import { ambiguousNames } from './relevance-seeds.ts'

/** A post with the context of the keyword that it matched, and whether it was meant. */
export interface Pairing {
  term: string
  context: string
  text: string
  relevant: boolean
  /** How much the term counts beside others. */
  share: number
}

/** Posts of ambiguous words, with a sentence that says which sense is wanted. */
export function pairings(): Pairing[] {
  return rowsOf('relevance_reddit').map((row) => ({
    term: String(row.term),
    context: String(row.context),
    text: row.text,
    relevant: row.relevant === true,
    share: 1,
  }))
}

/** Short posts about names that are also words of the language, which were written for this project. */
export function seedPairings(): Pairing[] {
  return ambiguousNames().flatMap(({ term, context, about, other }) =>
    [about, other].flatMap((texts) =>
      texts.map((text) => ({ term, context, text, relevant: texts === about, share: SEED_SHARE })),
    ),
  )
}

function termsOf(all: readonly Pairing[]): string[] {
  return [...new Set(all.map((item) => item.term))].sort()
}

/**
 * Whole terms are kept apart, since what counts is a term that was never seen: five parts, in the order of the
 * alphabet.
 */
function partOf(term: string, terms: readonly string[]): number {
  return terms.indexOf(term) % PARTS
}

const PARTS = 5

/** How strongly weights are drawn to nought. Found on the five parts; half or twice as much makes no difference. */
const RIDGE = 10
/** Seeds are a dozen a name, where a term of the set has more than a hundred posts. */
const SEED_SHARE = 0.5

export interface Taught {
  term: string
  relevant: boolean
  share: number
  evidence: Float64Array
  direction: Float64Array
}

/** What the model sees of every pairing. */
export function evidenceOf(rarities: Rarity, directions: Directions, all: readonly Pairing[]): Taught[] {
  const reading = newReading()
  const evidence = newEvidence(directions)
  const keywords = new Map<string, PreparedKeyword>()
  return all.map(({ term, context, text, relevant, share }) => {
    const keyword =
      keywords.get(term) ??
      prepareKeyword(rarities, directions, {
        keyword: { term, kind: 'brand' },
        keywordContext: context,
        companyContext: null,
      })
    keywords.set(term, keyword)
    read(postOf(text), reading)
    gatherEvidence({ rarities, directions }, keyword, reading, evidence, true)
    return { term, relevant, share, evidence: evidence.values.slice(), direction: evidence.direction.slice() }
  })
}

function keywordOf(rarities: Rarity, directions: Directions, term: string, context: string): PreparedKeyword {
  return prepareKeyword(rarities, directions, {
    keyword: { term, kind: 'brand' },
    keywordContext: context,
    companyContext: null,
  })
}

function postOf(text: string): Subject['post'] {
  return { platform: 'reddit', title: null, text, links: [], languageHint: null, author: null, review: null }
}

/**
 * A logistic of the evidence, found by Newton's method. Every term counts by its share, however many posts it has. The
 * weights hold for the evidence as it is: the scaling that training needs is folded into them.
 */
export function trainRelevance(taught: readonly Taught[]): RelevanceWeights {
  const size = EVIDENCE.length
  const counts = new Map<string, number>()
  for (const { term } of taught) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weight = taught.map(({ term, share }) => (share * taught.length) / counts.size / counts.get(term)!)
  const mean = new Float64Array(size)
  const spread = new Float64Array(size)
  for (const { evidence } of taught) for (let at = 0; at < size; at += 1) mean[at]! += evidence[at]! / taught.length
  for (const { evidence } of taught)
    for (let at = 0; at < size; at += 1) spread[at]! += (evidence[at]! - mean[at]!) ** 2 / taught.length
  const scaled = taught.map(({ evidence }) =>
    Float64Array.from({ length: size + 1 }, (_, at) =>
      at === size ? 1 : scale(evidence[at]! - mean[at]!, spread[at]!),
    ),
  )
  const found = new Float64Array(size + 1)
  for (let round = 0; round < 12; round += 1) {
    const gradient = Float64Array.from(found, (value, at) => (at === size ? 0 : RIDGE * value))
    const curvature = Array.from({ length: size + 1 }, (_, row) =>
      Float64Array.from({ length: size + 1 }, (_, column) => (row === column ? RIDGE : 0)),
    )
    for (const [index, row] of scaled.entries()) {
      let score = 0
      for (let at = 0; at <= size; at += 1) score += found[at]! * row[at]!
      const likely = 1 / (1 + Math.exp(-score))
      const error = weight[index]! * (likely - Number(taught[index]!.relevant))
      const bend = weight[index]! * likely * (1 - likely)
      for (let at = 0; at <= size; at += 1) {
        gradient[at]! += error * row[at]!
        const share = bend * row[at]!
        if (share !== 0) for (let other = 0; other <= size; other += 1) curvature[at]![other]! += share * row[other]!
      }
    }
    for (const [at, step] of solve(curvature, gradient).entries()) found[at]! -= step
  }
  const weights = Array.from({ length: size }, (_, at) => rounded(scale(found[at]!, spread[at]!)))
  const bias = found[size]! - weights.reduce((sum, value, at) => sum + value * mean[at]!, 0)
  return { weights, bias: rounded(bias) }
}

function scale(value: number, spread: number): number {
  return spread < 1e-9 ? 0 : value / Math.sqrt(spread)
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Solves a system of linear equations by elimination; the matrix is used up. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length
  for (let pivot = 0; pivot < size; pivot += 1) {
    for (let row = pivot + 1; row < size; row += 1) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!
      if (factor === 0) continue
      for (let column = pivot; column < size; column += 1) matrix[row]![column]! -= factor * matrix[pivot]![column]!
      right[row]! -= factor * right[pivot]!
    }
  }
  const found = new Float64Array(size)
  for (let row = size - 1; row >= 0; row -= 1) {
    let rest = right[row]!
    for (let column = row + 1; column < size; column += 1) rest -= matrix[row]![column]! * found[column]!
    found[row] = rest / matrix[row]![row]!
  }
  return found
}

/** How relevant a post of an ambiguous word is, 0 to 100, after what a team marked of the word. */
export type UnseenJudge = (item: Pick<Pairing, 'term' | 'text'>, marks: readonly Mark[]) => number

/** Judges pairings as the product does, each when the logistic is learned anew without the part that its term is in. */
export function unseenJudge(model: Parts): UnseenJudge {
  const all = pairings()
  const terms = termsOf(all)
  const shipped = relevanceModelOf(model)
  const { rarities, directions } = shipped
  const taught = evidenceOf(rarities, directions, all)
  const seeds = evidenceOf(rarities, directions, seedPairings())
  const models = Array.from({ length: PARTS }, (_, part) => {
    const learned = {
      ...shipped,
      ...trainRelevance([...taught.filter(({ term }) => partOf(term, terms) !== part), ...seeds]),
    }
    return { learned, leaningFrom: leaningCache(learned) }
  })
  const keywords = new Map(all.map(({ term, context }) => [term, keywordOf(rarities, directions, term, context)]))
  const reading = newReading()
  const evidence = newEvidence(directions)
  return ({ term, text }, marks) => {
    const { learned, leaningFrom } = models[partOf(term, terms)]!
    const keyword = keywords.get(term)!
    const post = postOf(text)
    read(post, reading)
    return relevanceOf(learned, keyword, leaningFrom(keyword, marks), reading, post, evidence).score
  }
}
