import { readFile } from 'node:fs/promises'
import { HASH_START, KIND, lowerOf, mix, type Tokens } from '../text/tokens.ts'

/**
 * What the package `eld` knows of sixty languages, in typed arrays: runs of up to four bytes of a word, each with the
 * languages that it speaks for. As the objects that the package makes of it, this takes 140 MB and seconds to load, in
 * every thread; the arrays take 5 MB, which threads share.
 */
export interface Grams {
  /** ISO 639-1 codes in the order in which the pairs number them. */
  languages: readonly string[]
  /** For each of the 256 bytes of UTF-8 the sign that stands for it in the grams. */
  signOf: Uint8Array
  /** An open table: a gram's hash, 0 where the place is free, and where its pairs begin. */
  hash: Int32Array
  start: Uint32Array
  /** Language times 256 plus weight, and `LAST` on the last pair of a gram. */
  pairs: Uint16Array
}

const LAST = 1 << 15

/**
 * Reads the n-grams out of the installed package.
 * @throws Error when the package is of a form that is not known here
 */
export async function loadGrams(): Promise<Grams> {
  const entry = import.meta.resolve('eld/large')
  const { dictionary } = (await import(new URL('../dictionary.js', entry).href)) as { dictionary: readonly string[] }
  return gramsFrom(await readFile(new URL('../ngrams/large.js', entry)), dictionary)
}

/**
 * Says of each language, by its number, how well it fits the first words of a text: the mean weight of their n-grams.
 */
export type WeighGrams = (tokens: Tokens, scores: Float64Array) => void

/** Cuts words into n-grams in the way of the package, which the weights were made for. */
export function gramWeigher(grams: Grams): WeighGrams {
  const met = new Int32Array(1 << MET_BITS)
  const signs = new Uint8Array(MOST_SIGNS + BYTES_PER_CHARACTER)
  let scores: Float64Array = new Float64Array(grams.languages.length)
  let differing = 0
  const take = (hash: number) => {
    let at = Math.imul(hash, SPREAD) >>> (32 - MET_BITS)
    while (met[at] !== 0 && met[at] !== hash) at = (at + 1) & (met.length - 1)
    if (met[at] === hash) return
    met[at] = hash
    differing += 1
    const place = placeOf(grams, hash)
    if (grams.hash[place] === 0) return
    for (let pair = grams.start[place]!; ; pair += 1) {
      const value = grams.pairs[pair]!
      scores[(value & ~LAST) >> 8]! += (value & 255) + TAKEN_OFF
      if ((value & LAST) !== 0) return
    }
  }
  return (tokens, into) => {
    scores = into
    scores.fill(0)
    met.fill(0)
    differing = 0
    let bytes = 0
    for (let token = 0; token < tokens.count && bytes < MOST_BYTES; token += 1) {
      const kind = tokens.kind[token]
      if (kind !== KIND.word && kind !== KIND.unspaced) continue
      const end = tokens.end[token]!
      let count = 0
      for (let at = tokens.start[token]!; at <= end && bytes < MOST_BYTES; at += 1) {
        const code = at < end ? letterAt(tokens.text, at) : 0
        if (code !== 0) {
          bytes += 1
          if (count < MOST_SIGNS) count = addSigns(code, grams.signOf, signs, count)
        } else if (count > 0) {
          takeWord(signs, count, take)
          bytes += count - 1
          count = 0
        }
      }
    }
    for (let at = 0; at < scores.length; at += 1) scores[at]! /= differing + 2
  }
}

/** Four signs at a time, three further each time; the edges of the word are spaces. */
function takeWord(signs: Uint8Array, count: number, take: (hash: number) => void): void {
  let from = 0
  for (; from + 4 < count; from += 3) take(hashOfSigns(signs, from, from + 4, from === 0, false))
  take(hashOfSigns(signs, count === 3 ? 0 : Math.max(0, count - 4), count, from === 0, true))
}

function hashOfSigns(signs: Uint8Array, from: number, end: number, opens: boolean, closes: boolean): number {
  let hash = opens ? mix(HASH_START, SPACE) : HASH_START
  for (let at = from; at < end; at += 1) hash = mix(hash, signs[at]!)
  return (closes ? mix(hash, SPACE) : hash) | 0
}

/** The small letter at a place, or 0 where something else stands; apostrophes inside of words count as letters. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === APOSTROPHE || code === TYPOGRAPHIC_APOSTROPHE) return APOSTROPHE
  return LETTERS[code] === 1 ? lowerOf(code) : 0
}

function addSigns(code: number, signOf: Uint8Array, signs: Uint8Array, from: number): number {
  let count = from
  if (code < 0x80) signs[count++] = code
  else if (code < 0x800) {
    signs[count++] = signOf[0xc0 | (code >> 6)]!
    signs[count++] = signOf[0x80 | (code & 0x3f)]!
  } else {
    signs[count++] = signOf[0xe0 | (code >> 12)]!
    signs[count++] = signOf[0x80 | ((code >> 6) & 0x3f)]!
    signs[count++] = signOf[0x80 | (code & 0x3f)]!
  }
  return count
}

/** Where a gram's hash stands in the table, or a free place when the gram is not known. */
function placeOf({ hash }: Pick<Grams, 'hash'>, wanted: number): number {
  let place = Math.imul(wanted, SPREAD) >>> (32 - TABLE_BITS)
  while (hash[place] !== 0 && hash[place] !== wanted) place = (place + 1) & (hash.length - 1)
  return place
}

/**
 * One pass over the bytes of the package's file, `...ngrams:{'abc':{0:52,7:9},abcd:{...}}}`: as a program it would take
 * a hundred times the memory.
 */
function gramsFrom(file: Buffer, dictionary: readonly string[]): Grams {
  const begin = file.indexOf(GRAMS_BEGIN)
  const grams: Grams = {
    languages: languagesIn(file.toString('latin1', 0, begin)),
    signOf: Uint8Array.from(dictionary, (sign, byte) => (byte < 0x80 ? byte : sign.charCodeAt(0))),
    hash: new Int32Array(new SharedArrayBuffer(4 << TABLE_BITS)),
    start: new Uint32Array(new SharedArrayBuffer(4 << TABLE_BITS)),
    pairs: new Uint16Array(new SharedArrayBuffer(2 << TABLE_BITS)),
  }
  let pair = 0
  let at = begin + GRAMS_BEGIN.length
  while (file[at] !== CLOSE) {
    const ends = file[at] === QUOTE ? QUOTE : COLON
    if (ends === QUOTE) at += 1
    let hash = HASH_START
    while (file[at] !== ends) {
      if (file[at] === BACKSLASH) at += 1
      const code = byteOf(file, at)
      // Signs beyond ASCII take two bytes in the file.
      hash = mix(hash, code < 0x80 ? code : ((code & 0x1f) << 6) | (byteOf(file, at + 1) & 0x3f))
      at += code < 0x80 ? 1 : 2
    }
    at += ends === QUOTE ? 2 : 1
    if (file[at] !== OPEN) throw unknownForm()
    const from = pair
    while (file[at] !== CLOSE) {
      let language = 0
      for (at += 1; file[at] !== COLON; at += 1) language = language * 10 + byteOf(file, at) - 48
      let weight = 0
      for (at += 1; file[at] !== COMMA && file[at] !== CLOSE; at += 1) weight = weight * 10 + byteOf(file, at) - 48
      if (!(language < grams.languages.length && weight < 256)) throw unknownForm()
      grams.pairs[pair] = language * 256 + weight
      pair += 1
    }
    at += file[at + 1] === COMMA ? 2 : 1
    // A handful of the grams share a hash with another one; the first of the two counts.
    const place = placeOf(grams, hash)
    if (grams.hash[place] !== 0) pair = from
    else {
      grams.hash[place] = hash
      grams.start[place] = from
      grams.pairs[pair - 1]! |= LAST
    }
  }
  return grams
}

/** The byte at a place of the file. @throws Error behind its end */
function byteOf(file: Buffer, at: number): number {
  const byte = file[at]
  if (byte === undefined) throw unknownForm()
  return byte
}

function unknownForm(): Error {
  return new Error('the n-grams of the package eld are of a form that this version cannot read')
}

function languagesIn(source: string): string[] {
  const listed = /languages:\{([^}]*)\}/.exec(source)?.[1] ?? ''
  // The package says `no`, which covers two written languages; its texts are the one that is far more common.
  return [...listed.matchAll(/\d+:'([a-z]{2})'/g)].map(([, code]) => (code === 'no' ? 'nb' : code!))
}

/** Letters alone make n-grams: signs of vowels and accents that stand apart end a word, as they do in the package. */
const LETTERS = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  Number((code < 0xd800 || code > 0xdfff) && /\p{L}/u.test(String.fromCharCode(code))),
)
/** What the package takes off every weight to keep its file small. */
const TAKEN_OFF = 53
/** After so many bytes a text has said enough. */
const MOST_BYTES = 350
/** Longer words are cut. */
const MOST_SIGNS = 70
const BYTES_PER_CHARACTER = 3
const MET_BITS = 10
const TABLE_BITS = 19
const SPREAD = 0x9e3779b1
const SPACE = 32
const APOSTROPHE = 39
const TYPOGRAPHIC_APOSTROPHE = 0x2019
const GRAMS_BEGIN = 'ngrams:{'
const COLON = 58
const COMMA = 44
const QUOTE = 39
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125
