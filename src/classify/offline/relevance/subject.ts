import type { PreparedKeyword } from '../keyword/keyword.ts'
import { addDirection, type Directions, dotOf, makeUnit } from '../model/directions.ts'
import type { TextReading } from '../text/reading.ts'
import { hasStem, LEAST_RARITY, type Rarity, rarityOf, weightOfRarity } from '../text/terms.ts'
import type { Tokens } from '../text/tokens.ts'
import { EVIDENCE_AT, type Evidence, MOST_STEMS } from './evidence.ts'

export interface SubjectWords {
  rarities: Rarity
  directions: Directions
}

/** Each word of the post counts once. */
export function weighSubject(
  { rarities, directions }: SubjectWords,
  keyword: PreparedKeyword,
  { tokens, stem: stemOf }: TextReading,
  into: Evidence,
): void {
  const { direction, stems } = into
  const { direction: wantedSense, otherSense } = keyword
  const nearness: Nearness = { near: newBest(), pairs: newBest(), other: newBest() }
  const { unit, dimensions } = directions
  for (let token = 0; token < tokens.count && into.telling < MOST_STEMS; token += 1) {
    if (!hasStem(tokens, token)) continue
    const stem = stemOf[token]!
    const rarity = rarityOf(rarities, stem)
    if (rarity < LEAST_RARITY || keyword.own.has(stem) || holds(stems, into.telling, stem)) continue
    const weight = weightOfRarity(rarity)
    stems[into.telling] = stem
    into.weights[into.telling] = weight
    into.telling += 1
    noteNamed(keyword, stem, tokens, token, into)
    const place = directions.placeOf(stem)
    if (place < 0) continue
    into.known += 1
    if (wantedSense === null) {
      addDirection(directions, place, weight, direction)
      continue
    }
    // One loop computes all sums, because most of the time goes here.
    let toWanted = 0
    let toOther = 0
    for (let step = 0; step < dimensions; step += 1) {
      const value = unit[place + step]!
      toWanted += value * wantedSense[step]!
      toOther += value * otherSense[step]!
      direction[step]! += weight * value
    }
    addBest(nearness.near, weight * toWanted)
    addBest(nearness.other, weight * toOther)
    if (into.known <= MOST_PAIRED) addBest(nearness.pairs, weight * nearestOf(directions, place, keyword.strongest))
  }
  makeUnit(direction)
  putNearness(keyword, nearness, into)
  into.values[EVIDENCE_AT.shared] = 1 - Math.exp(-into.wanted / 1.2)
  into.values[EVIDENCE_AT.known] = Math.log1p(into.known)
}

function noteNamed(
  { wanted, unwanted }: PreparedKeyword,
  stem: number,
  { text, start, end }: Tokens,
  token: number,
  into: Evidence,
): void {
  const asked = wanted.get(stem)
  if (asked !== undefined) {
    into.wanted += asked
    into.shared ??= text.slice(start[token]!, end[token]!)
  }
  const excluded = unwanted.get(stem)
  if (excluded !== undefined) {
    into.unwanted += excluded
    into.excluded ??= text.slice(start[token]!, end[token]!)
  }
}

/** The highest similarities to the context, to single words of the context, and to the term's other senses. */
interface Nearness {
  near: Float64Array
  pairs: Float64Array
  other: Float64Array
}

function putNearness(
  { direction: wantedSense, otherSense, termNearness }: PreparedKeyword,
  { near, pairs, other }: Nearness,
  { values, direction, known }: Evidence,
): void {
  const at = EVIDENCE_AT
  const cosine = wantedSense === null ? 0 : dotOf(direction, wantedSense)
  values[at.near] = cosine
  values[at['near-known']] = cosine * Math.min(1, known / 4)
  values[at['near-squared']] = Math.max(0, cosine) ** 2
  values[at['nearest-words']] = meanOf(near)
  values[at['nearest-word']] = near[0]!
  values[at['nearest-pairs']] = meanOf(pairs)
  values[at['nearest-pair']] = pairs[0]!
  values[at.other] = dotOf(direction, otherSense)
  values[at['other-words']] = meanOf(other)
  values[at['other-word']] = other[0]!
  values[at['term-near']] = termNearness
}

function nearestOf({ unit, dimensions }: Directions, place: number, strongest: PreparedKeyword['strongest']): number {
  let best = 0
  // Four independent sums run in parallel; the first entry replaces missing ones.
  for (let at = 0; at < strongest.length; at += 4) {
    const first = strongest[at]!
    const second = strongest[at + 1] ?? first
    const three = strongest[at + 2] ?? first
    const four = strongest[at + 3] ?? first
    let toOne = 0
    let toTwo = 0
    let toThree = 0
    let toFour = 0
    for (let step = 0; step < dimensions; step += 1) {
      const value = unit[place + step]!
      toOne += value * unit[first.place + step]!
      toTwo += value * unit[second.place + step]!
      toThree += value * unit[three.place + step]!
      toFour += value * unit[four.place + step]!
    }
    best = Math.max(best, toOne * first.weight, toTwo * second.weight, toThree * three.weight, toFour * four.weight)
  }
  return best
}

function holds(stems: Int32Array, count: number, stem: number): boolean {
  for (let at = 0; at < count; at += 1) if (stems[at] === stem) return true
  return false
}

/** The three largest values, in descending order. */
function newBest(): Float64Array {
  return new Float64Array(3).fill(Number.NEGATIVE_INFINITY)
}

function addBest(best: Float64Array, value: number): void {
  if (value <= best[2]!) return
  if (value > best[0]!) {
    best[2] = best[1]!
    best[1] = best[0]!
    best[0] = value
  } else if (value > best[1]!) {
    best[2] = best[1]!
    best[1] = value
  } else best[2] = value
}

/** Replaces absent values with 0. */
function meanOf(best: Float64Array): number {
  let sum = 0
  for (let rank = 0; rank < 3; rank += 1) {
    if (best[rank] === Number.NEGATIVE_INFINITY) best[rank] = 0
    sum += best[rank]!
  }
  return sum / 3
}

/** Words of the post that are compared with single words of the context. */
const MOST_PAIRED = 24
