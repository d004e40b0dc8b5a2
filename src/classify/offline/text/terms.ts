import { bucketOf } from './features.ts'
import { HASH_START, isWordCode, KIND, lowerOf, mix, type Tokens } from './tokens.ts'

/** "Recorders" and "recording" share the hash of "record". */
export function stemHash(text: string, start: number, end: number): number {
  const last = end - suffixLength(text, start, end)
  let hash = HASH_START
  for (let at = start; at < last && at - start < 32; at += 1) hash = mix(hash, lowerOf(text.charCodeAt(at)))
  return hash
}

function suffixLength(text: string, start: number, end: number): number {
  const length = end - start
  const last = letterBefore(text, end, 1)
  if (length > 3 && last === 115 && (letterBefore(text, end, 2) === 39 || letterBefore(text, end, 2) === 0x2019))
    return 2
  if (length > 6 && last === 103 && letterBefore(text, end, 2) === 110 && letterBefore(text, end, 3) === 105) return 3
  if (length > 5 && last === 100 && letterBefore(text, end, 2) === 101) return 2
  if (length > 5 && last === 115 && letterBefore(text, end, 2) === 101) return 2
  if (length > 5 && last === 114 && letterBefore(text, end, 2) === 101) return 2
  if (length > 3 && last === 115 && letterBefore(text, end, 2) !== 115) return 1
  if (length > 4 && last === 101) return 1
  return 0
}

/** No closure, because every word of every post comes here. */
function letterBefore(text: string, end: number, back: number): number {
  return lowerOf(text.charCodeAt(end - back))
}

/** 16 times the natural logarithm of rarity, for 2^16 hashed words. */
export type Rarity = Uint8Array

/** Natural logarithm: 0 (everywhere) to about 12 (never seen). */
export function rarityOf(rarity: Rarity, stem: number): number {
  return rarity[bucketOf(stem) & 0xffff]! / 16
}

/** Commoner words say nothing about a subject. */
export const LEAST_RARITY = 3.2

/** 0 to 1. */
export function weightOfRarity(rarity: number): number {
  return Math.max(0, Math.min(1, (rarity - 2) / 6))
}

export function eachStem(tokens: Tokens, visit: (stem: number, at: number) => void): void {
  for (let at = 0; at < tokens.count; at += 1) {
    if (hasStem(tokens, at)) visit(stemHash(tokens.text, tokens.start[at]!, tokens.end[at]!), at)
  }
}

export function hasStem({ kind }: Tokens, at: number): boolean {
  const value = kind[at]
  return value === KIND.word || value === KIND.hashtag || value === KIND.unspaced
}

export interface Places {
  count: number
  inTitle: boolean
  asHandle: boolean
  asHashtag: boolean
  /** Capitalised inside a sentence, among words not all in capitals. */
  asName: boolean
}

/** `term` is lower case, with white space and hyphens as single spaces. */
export function placesOf(term: string, text: string, titleEnd: number): Places {
  const flat = text.slice(0, 8192).replace(/[^\S ]|-/g, ' ')
  const lower = flat.toLowerCase()
  const comparable = lower.length === flat.length
  const places: Places = { count: 0, inTitle: false, asHandle: false, asHashtag: false, asName: false }
  let from = lower.indexOf(term)
  while (from >= 0 && places.count < MOST_PLACES) {
    const end = from + term.length
    if (isWhole(lower, from, end)) {
      places.count += 1
      if (from < titleEnd) places.inTitle = true
      const before = from > 0 ? flat[from - 1] : ''
      if (before === '@') places.asHandle = true
      if (before === '#') places.asHashtag = true
      if (comparable && !places.asName) places.asName = isName(flat, from, end)
    }
    from = lower.indexOf(term, end)
  }
  return places
}

function isWhole(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if (start > 0 && isSpaced(first) && (isSpaced(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 95))
    return false
  const last = text.charCodeAt(end - 1)
  return !(end < text.length && isSpaced(last) && (isSpaced(text.charCodeAt(end)) || text.charCodeAt(end) === 95))
}

/** Only scripts with spaces between words. */
function isSpaced(code: number): boolean {
  return isWordCode(code) && (code < 0x2e80 || (code >= 0xac00 && code <= 0xd7af))
}

function isName(text: string, start: number, end: number): boolean {
  const first = text[start]!
  if (first === first.toLowerCase()) return false
  let before = start - 1
  while (before >= 0 && text[before] === ' ') before -= 1
  if (before < 0 || /[.!?:"“(\n]/.test(text[before]!)) return false
  const around = text.slice(Math.max(0, start - 30), start) + text.slice(end, end + 30)
  return around !== around.toUpperCase()
}

const MOST_PLACES = 12
