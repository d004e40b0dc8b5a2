import { createHash } from 'node:crypto'
import { SENTIMENTS, type Sentiment } from '../../../domain/mention/classification.ts'
import type { Mark } from '../../contract.ts'
import type { PreparedKeyword } from '../keyword/keyword.ts'
import { dotOf } from '../model/directions.ts'
import { sigmoid } from '../model/heads.ts'
import type { Mood } from '../sentiment/sentiment.ts'
import { newReading, readPlain, type TextReading } from '../text/reading.ts'
import { EVIDENCE, type Evidence, newEvidence } from './evidence.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { oddsOf, type RelevanceModel } from './odds.ts'

/** What a team's feedback on one keyword changes for the keyword's other posts, in log-odds. */
export interface Leaning {
  /** Factor on the model's own odds, 0.6 to 1. The factor falls as feedback of both kinds grows. */
  trust: number
  words: ReadonlyMap<number, number>
  /** Limited to plus or minus `directionMost`. */
  direction: Float64Array
  directionMost: number
  /** In the order of EVIDENCE. */
  standing: Float64Array
  bias: number
  /** For each of SENTIMENTS; null without feedback on sentiment. */
  moods: readonly MoodPull[] | null
}

/** What feedback on the sentiment says for one sentiment, in log-odds. */
interface MoodPull {
  /** For all posts of the keyword. */
  bias: number
  words: ReadonlyMap<number, number>
}

/**
 * Fits a logistic on top of the model's odds. The prior is strong: one mistaken verdict moves little but similar posts,
 * and feedback of one kind alone moves only posts that share its words. The number of steps is fixed, so the same
 * feedback gives the same result. Returns null without a verdict.
 */
function leaningOf(
  model: RelevanceModel,
  keyword: PreparedKeyword,
  marks: readonly Mark[],
  { reading, evidence }: Scratch,
): Leaning | null {
  const latest = marks.slice(0, MOST_MARKS)
  const seen = latest.map((mark) => ({ mark, ...traitsOf(model, keyword, mark.text, reading, evidence) }))
  const judged = seen.filter(({ mark }) => mark.relevant !== null)
  const moods = moodsOf(seen)
  if (judged.length === 0 && moods === null) return null
  const yes = judged.filter(({ mark }) => mark.relevant).length
  const balance = Math.min(1, (2 * Math.min(yes, judged.length - yes)) / MARKS_FOR_FULL_TRUST)
  const strengths: Strengths = {
    words: WORDS,
    direction: DIRECTION * (0.25 + 0.75 * balance),
    standing: STANDING * balance,
    bias: BIAS * balance,
  }
  const trust = 1 - 0.4 * balance
  const pulls = pullsOf(judged, strengths, trust)
  const leaning = {
    trust,
    words: new Map<number, number>(),
    direction: new Float64Array(model.directions.dimensions),
    directionMost: 0.8 + 8 * balance,
    standing: new Float64Array(EVIDENCE.length),
    bias: 0,
    moods,
  }
  for (const [index, { words, direction, standing }] of judged.entries()) {
    const pull = pulls[index]!
    addWords(leaning.words, words, pull * strengths.words)
    for (let at = 0; at < direction.length; at += 1)
      leaning.direction[at]! += pull * strengths.direction * direction[at]!
    for (let at = 0; at < standing.length; at += 1) leaning.standing[at]! += pull * strengths.standing * standing[at]!
    leaning.bias += pull * strengths.bias
  }
  return leaning
}

/** `odds` and the result are log-odds. */
export function leanOdds(leaning: Leaning, odds: number, evidence: Evidence): number {
  const most = leaning.directionMost
  let moved =
    leaning.trust * odds + leaning.bias + Math.max(-most, Math.min(most, dotOf(leaning.direction, evidence.direction)))
  for (let at = FIRST_STANDING; at < EVIDENCE.length; at += 1) moved += leaning.standing[at]! * evidence.values[at]!
  return moved + wordsOdds(leaning.words, evidence)
}

/** Changes `probabilities`, those of SENTIMENTS, in place. A review's stars stay unchanged. */
export function leanMood(leaning: Leaning | null, mood: Mood, probabilities: Float64Array, evidence: Evidence): Mood {
  const moods = leaning?.moods
  if (!moods || mood.stars !== null) return mood
  const pulls = moods.map(({ bias, words }) => Math.exp(Math.min(MOST_MOOD, bias + wordsOdds(words, evidence))))
  if (pulls.every((pull) => pull === 1)) return mood
  let sum = 0
  let best = 0
  for (const [at, pull] of pulls.entries()) {
    probabilities[at]! *= pull
    sum += probabilities[at]!
    if (probabilities[at]! > probabilities[best]!) best = at
  }
  for (let at = 0; at < pulls.length; at += 1) probabilities[at]! /= sum
  return { sentiment: SENTIMENTS[best]!, probability: probabilities[best]!, stars: null }
}

/**
 * An LRU cache for all keywords. A list from another thread is a copy, so lists are compared by digest. Two teams may
 * give feedback on the same term, so every keyword has its own entries.
 */
export function leaningCache(
  model: RelevanceModel,
): (keyword: PreparedKeyword, marks: readonly Mark[]) => Leaning | null {
  const numbers = new WeakMap<PreparedKeyword, number>()
  const digests = new WeakMap<readonly Mark[], string>()
  // The least recently used entry comes first.
  const kept = new Map<string, { leaning: Leaning | null; size: number }>()
  let scratch: Scratch | null = null
  let keywords = 0
  let size = 0
  return (keyword, marks) => {
    if (marks.length === 0) return null
    const number = numbers.get(keyword) ?? ++keywords
    numbers.set(keyword, number)
    const digest = digests.get(marks) ?? createHash('sha256').update(JSON.stringify(marks)).digest('base64')
    digests.set(marks, digest)
    const key = `${number} ${digest}`
    let item = kept.get(key)
    if (item === undefined) {
      scratch ??= { reading: newReading(), evidence: newEvidence(model.directions) }
      const leaning = leaningOf(model, keyword, marks, scratch)
      item = { leaning, size: sizeOf(leaning) }
      size += item.size
    }
    kept.delete(key)
    kept.set(key, item)
    for (const [oldest, { size: freed }] of kept) {
      if (size <= MOST_KEPT || kept.size === 1) break
      kept.delete(oldest)
      size -= freed
    }
    return item.leaning
  }
}

function sizeOf(leaning: Leaning | null): number {
  return 100 + (leaning?.words.size ?? 0) + (leaning?.moods ?? []).reduce((sum, { words }) => sum + words.size, 0)
}

interface Scratch {
  reading: TextReading
  evidence: Evidence
}

interface Traits {
  odds: number
  words: Map<number, number>
  direction: Float64Array
  standing: Float64Array
}

function traitsOf(
  model: RelevanceModel,
  keyword: PreparedKeyword,
  text: string,
  reading: TextReading,
  evidence: Evidence,
): Traits {
  readPlain(text, reading)
  gatherEvidence(model, keyword, reading, evidence, true)
  const words = new Map<number, number>()
  const length = lengthOf(evidence)
  for (let at = 0; at < evidence.telling; at += 1) words.set(evidence.stems[at]!, evidence.weights[at]! / length)
  const standing = evidence.values.map((value, at) => (at < FIRST_STANDING ? 0 : value))
  return { odds: oddsOf(model, keyword, reading, evidence), words, direction: evidence.direction.slice(), standing }
}

interface Strengths {
  words: number
  direction: number
  standing: number
  bias: number
}

/**
 * Each pull converges to LOOSENESS times the error of its own post. The step is short enough that pulls never
 * oscillate.
 */
function pullsOf(judged: readonly (Traits & { mark: Mark })[], strengths: Strengths, trust: number): Float64Array {
  const alike = judged.map(() => new Float64Array(judged.length))
  for (const [at, item] of judged.entries())
    for (let to = 0; to <= at; to += 1) alike[at]![to] = alike[to]![at] = likeness(item, judged[to]!, strengths)
  const pulls = new Float64Array(judged.length)
  const stiffest = Math.max(0, ...alike.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0)))
  const step = 1 / (1 / LOOSENESS + stiffest / 4)
  for (let round = 0; round < ROUNDS; round += 1) {
    const errors = judged.map(
      ({ mark, odds }, at) => Number(mark.relevant) - sigmoid(trust * odds + dotOf(alike[at]!, pulls)),
    )
    for (const [at, error] of errors.entries()) pulls[at]! += step * (error - pulls[at]! / LOOSENESS)
  }
  return pulls
}

function likeness(first: Traits, second: Traits, strengths: Strengths): number {
  let shared = 0
  for (const [stem, weight] of first.words) shared += weight * (second.words.get(stem) ?? 0)
  return (
    strengths.words * shared +
    strengths.direction * dotOf(first.direction, second.direction) +
    strengths.standing * dotOf(first.standing, second.standing) +
    strengths.bias
  )
}

function moodsOf(seen: readonly (Traits & { mark: Mark })[]): Leaning['moods'] {
  const judged = seen.filter(({ mark }) => mark.sentiment !== null)
  if (judged.length === 0) return null
  return SENTIMENTS.map((sentiment) => {
    const words = new Map<number, number>()
    const own = judged.filter(({ mark }) => mark.sentiment === sentiment)
    for (const mark of own) addWords(words, mark.words, MOOD)
    const usual = USUAL_SHARE[sentiment]
    const share = (own.length + MOOD_DOUBT * usual) / (judged.length + MOOD_DOUBT)
    return { bias: MOOD_BIAS * Math.log(share / usual), words }
  })
}

function addWords(into: Map<number, number>, words: ReadonlyMap<number, number>, weight: number): void {
  for (const [stem, share] of words) into.set(stem, (into.get(stem) ?? 0) + weight * share)
}

function wordsOdds(words: ReadonlyMap<number, number>, evidence: Evidence): number {
  let sum = 0
  for (let at = 0; at < evidence.telling; at += 1) sum += evidence.weights[at]! * (words.get(evidence.stems[at]!) ?? 0)
  return sum / lengthOf(evidence)
}

function lengthOf({ telling, weights }: Evidence): number {
  let squares = 0
  for (let at = 0; at < telling; at += 1) squares += weights[at]! ** 2
  return Math.sqrt(squares) || 1
}

/**
 * Limit of the cache in words, about 30 MB. Sixty verdicts take a few hundred words, at most 4,000, or twice that with
 * sentiments.
 */
const MOST_KEPT = 400_000
/** Sixty verdicts say enough; older feedback is ignored. */
const MOST_MARKS = 60
/** Verdicts, half of each kind, at which feedback has its full effect. */
const MARKS_FOR_FULL_TRUST = 10
/** Weights of each kind of similarity, tuned on ambiguous words of Reddit with feedback on random posts. */
const WORDS = 60
const DIRECTION = 12
const STANDING = 1
const BIAS = 0.3
/** Small values distrust feedback. */
const LOOSENESS = 4
const ROUNDS = 60
const MOOD = 2
/** Share of each sentiment among the labelled mentions of all terms. */
const USUAL_SHARE: Readonly<Record<Sentiment, number>> = { positive: 0.13, neutral: 0.68, negative: 0.19 }
/** In verdicts: so many of the usual shares are added to the keyword's own. */
const MOOD_DOUBT = 20
const MOOD_BIAS = 0.7
/** Log-odds: feedback makes a sentiment at most twelve times as likely relative to another. */
const MOST_MOOD = 2.5
/** Earlier evidence is about the subject, which words and direction describe better. */
const FIRST_STANDING = EVIDENCE.indexOf('after-the')
