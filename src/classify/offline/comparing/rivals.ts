import { type Parts, sectionOf } from '../model/model-file.ts'
import { pair } from '../text/features.ts'
import { HASH_START, KIND, lowerOf, mix, type Tokens } from '../text/tokens.ts'

/** By `rivalNameOf`. */
export type Rivals = ReadonlyMap<number, ReadonlySet<number>>

/** Pairs of 32-bit names. */
const RIVALS_PART = 'intents.rivals'
/** In bytes. */
const PAIR = 8

/** @throws Error when the model holds no whole pairs of names */
export function rivalsOf(model: Parts): Rivals {
  const bytes = sectionOf(model, RIVALS_PART)
  if (bytes.length % PAIR !== 0) throw new Error('the classifier model is damaged: its names of rivals are cut short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return rivalsFrom(
    Array.from(
      { length: bytes.length / PAIR },
      (_, at) => [view.getInt32(PAIR * at, true), view.getInt32(PAIR * at + 4, true)] as const,
    ),
  )
}

export function rivalsFrom(pairs: Iterable<readonly [number, number]>): Rivals {
  const rivals = new Map<number, Set<number>>()
  const add = (name: number, second: number) => rivals.set(name, (rivals.get(name) ?? new Set()).add(second))
  for (const [first, other] of pairs) {
    add(first, other)
    add(other, first)
  }
  return rivals
}

/** Sorted. */
export function partsOfRivals(rivals: Rivals): Parts {
  const pairs = [...rivals].flatMap(([name, others]) =>
    [...others].filter((other) => name < other).map((other) => [name, other] as const),
  )
  const sorted = pairs.sort(([value, first], [other, second]) => value - other || first - second)
  const bytes = Buffer.alloc(PAIR * pairs.length)
  for (const [at, name] of sorted.flat().entries()) bytes.writeInt32LE(name, 4 * at)
  return { heads: {}, sections: { [RIVALS_PART]: bytes }, numbers: {} }
}

/** A hash of the words. */
export function rivalNameOf(tokens: Tokens, from: number, end: number): number {
  let name = wordOf(tokens, from)
  for (let at = from + 1; at < end; at += 1) name = pair(name, wordOf(tokens, at))
  return name
}

/** In tokens; 0 when no known name begins here. */
export function knownLength(rivals: Rivals, tokens: Tokens, from: number, end: number): number {
  let name = 0
  let length = 0
  for (let words = 1; words <= MOST_WORDS && from + words <= end; words += 1) {
    const word = wordOf(tokens, from + words - 1)
    name = words === 1 ? word : pair(name, word)
    if (rivals.has(name)) length = words
  }
  return length
}

/** "Windows 7" is not "Windows 8". */
function wordOf({ text, kind, hash, start, end }: Tokens, at: number): number {
  if (kind[at] !== KIND.number) return hash[at]!
  let number = HASH_START
  for (let place = start[at]!; place < end[at]! && place < start[at]! + MOST_DIGITS; place += 1)
    number = mix(number, lowerOf(text.charCodeAt(place)))
  return number
}

const MOST_WORDS = 3
const MOST_DIGITS = 12
