import { addFeature, type Distinct, newDistinct, pair, takeBack } from '../text/features.ts'
import { KIND, mix } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import { FIRST, type LineUp, MOST_LINED_UP, NAME, SECOND, TONE } from './line-up.ts'

export type Aspects = Distinct

export function newAspects(): Aspects {
  return newDistinct(MOST_ASPECTS)
}

/** Words by part, words near a thing by distance, triples between, and the order of marks. */
export function aspectsOf(text: LineUp, into: Aspects): void {
  takeBack(into, 0)
  const between = text.second >= 0 ? text.second : Math.min(text.count, text.first + UNNAMED)
  addParts(text, between, into)
  addThrees(text, between, into)
  addNear(text, text.first, BY_FIRST, into)
  if (text.second >= 0) addNear(text, text.second, BY_SECOND, into)
  addOrder(text, into)
  addFeature(into, mix(LENGTH, Math.min(8, Math.floor(2 * Math.log2(1 + between - text.first)))))
  addFeature(into, mix(LENGTH + 1, Math.min(6, text.first)))
  addFeature(into, mix(LENGTH + 2, Math.min(6, text.count - between)))
}

/** 1 before the first thing, 2 between, 3 after the second, 4 after an only one. */
function partOf(text: LineUp, between: number, at: number): number {
  if (at < text.first) return 1
  if (at < between) return 2
  return text.second < 0 ? 4 : 3
}

function addParts(text: LineUp, between: number, into: Aspects): void {
  for (let at = 0; at < text.count; at += 1) {
    if (at === text.first) continue
    const part = partOf(text, between, at)
    add(into, IN_PART + part, text.word[at]!)
    if (text.tone[at] !== TONE.none) addVoice(text, at, part, into)
  }
}

function addVoice(text: LineUp, at: number, part: number, into: Aspects): void {
  const { word, plain, first, count } = text
  const voice = pair(IN_PART + part, voiceOf(text, at))
  addFeature(into, voice)
  add(into, VOICED + (word[at] === plain[at] ? 0 : 1), voice)
  add(into, VOICED + 2 + Math.min(3, Math.abs(at - first) >> 1), voice)
  if (at > 0) add(into, VOICED + 6, pair(voice, word[at - 1]!))
  if (at + 1 < count) add(into, VOICED + 7, pair(voice, word[at + 1]!))
}

function addThrees({ word, first, count }: LineUp, between: number, into: Aspects): void {
  const last = Math.min(between, count - 1)
  for (let at = first; at + 2 <= last; at += 1) add(into, IN_THREE, pair(pair(word[at]!, word[at + 1]!), word[at + 2]!))
}

function addNear(text: LineUp, place: number, whose: number, into: Aspects): void {
  for (let distance = 1; distance <= NEAR; distance += 1) {
    if (place - distance >= 0) addAt(text, place - distance, whose + 2 * distance, into)
    if (place + distance < text.count) addAt(text, place + distance, whose + 2 * distance + 1, into)
  }
}

function addAt(text: LineUp, at: number, where: number, into: Aspects): void {
  add(into, where, text.word[at]!)
  if (text.tone[at] !== TONE.none) add(into, where, voiceOf(text, at))
}

/** Pairs, triples and runs of four marks. */
function addOrder(text: LineUp, into: Aspects): void {
  const marks = gatherMarks(text)
  for (let value = 0; value < marks; value += 1) {
    const last = Math.min(marks, value + REACH)
    let things = isThing(MARKS[value]!)
    let run = MARKS[value]!
    for (let two = value + 1; two < last; two += 1) {
      add(into, IN_ORDER, pair(MARKS[value]!, MARKS[two]!))
      const pairHasThing = isThing(MARKS[value]!) || isThing(MARKS[two]!)
      for (let three = two + 1; three < last; three += 1)
        if (pairHasThing || isThing(MARKS[three]!))
          add(into, IN_ORDER + 1, pair(pair(MARKS[value]!, MARKS[two]!), MARKS[three]!))
      run = pair(run, MARKS[two]!)
      things ||= isThing(MARKS[two]!)
      if (two === value + 3 && things) add(into, IN_ORDER + 2, run)
    }
  }
}

function gatherMarks(text: LineUp): number {
  let count = 0
  for (let at = 0; at < text.count; at += 1) if (isMark(text, at)) MARKS[count++] = voiceOf(text, at)
  return count
}

function isMark({ tone, plain, kind }: LineUp, at: number): boolean {
  const word = plain[at]!
  return tone[at] !== TONE.none || isThing(word) || word === NAME || kind[at]! >= KIND.stop || MARKING.has(word)
}

/** Words of one tone share a value. */
function voiceOf({ tone, plain }: LineUp, at: number): number {
  return tone[at] === TONE.none ? plain[at]! : VOICE + tone[at]!
}

function isThing(mark: number): boolean {
  return mark === FIRST || mark === SECOND
}

function add(into: Aspects, where: number, what: number): void {
  addFeature(into, pair(where, what))
}

/** In words. */
const UNNAMED = 25
const NEAR = 4
const REACH = 5
const [IN_PART, IN_THREE, BY_FIRST, BY_SECOND, IN_ORDER, LENGTH, VOICED, VOICE] = [
  110, 120, 130, 150, 170, 180, 190, 200,
]
const MARKS = new Int32Array(MOST_LINED_UP)
const MARKING = hashesOfList('comparing/words/marking')
/** An upper limit: parts, voices, triples, marks and nearby words. */
const MOST_ASPECTS = MOST_LINED_UP * (2 + 4 + 1 + REACH + REACH * REACH) + 8 * NEAR + 8
