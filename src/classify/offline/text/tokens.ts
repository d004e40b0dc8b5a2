/**
 * One pass over UTF-16 code units, without a string per word. Training and scoring share this file, so its behaviour is
 * part of the model format (`FEATURE_VERSION`).
 */

/** Posts are at most 8 KB. The limit bounds the time for hostile input. */
export const MAX_CHARACTERS = 8192
/** In code units; the hash ignores the rest. */
const MAX_WORD = 48

export const KIND = {
  word: 0,
  handle: 1,
  hashtag: 2,
  address: 3,
  number: 4,
  code: 5,
  stop: 6,
  comma: 7,
  question: 8,
  exclamation: 9,
  symbol: 10,
  unspaced: 11,
} as const
export type Kind = (typeof KIND)[keyof typeof KIND]

/** The arrays are reused from text to text; only the first `count` entries are valid. */
export interface Tokens {
  text: string
  count: number
  hash: Int32Array
  kind: Uint8Array
  start: Int32Array
  end: Int32Array
  /** 1 for a word of at least three letters, all in capitals. */
  shouted: Uint8Array
  /** 1 for a letter repeated for emphasis ("sooo"). */
  stretched: Uint8Array
}

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const SPACE = 3
const UNSPACED = 4
const SYMBOL = 5
const CLASS_OF = new Uint8Array(65536)
const LOWER_OF = new Uint16Array(65536)
fillTables()

export function tokenise(text: string, into: Tokens): void {
  const end = Math.min(text.length, MAX_CHARACTERS)
  into.text = text
  into.count = 0
  let at = 0
  while (at < end) {
    const code = text.charCodeAt(at)
    const type = CLASS_OF[code]!
    if (type === SPACE) at += 1
    else if (type === LETTER || type === DIGIT)
      at = isAddress(text, at) ? skipAddress(text, at, end, into) : readWord(text, at, end, into, KIND.word)
    else if (type === UNSPACED) at = readUnspaced(text, at, end, into)
    else if ((code === 64 || code === 35) && at + 1 < end && isWordStart(text.charCodeAt(at + 1)))
      at = readWord(text, at + 1, end, into, code === 64 ? KIND.handle : KIND.hashtag)
    else at = readSign(text, at, end, into)
  }
}

/** Large enough for every text. */
export function newTokens(): Tokens {
  const size = MAX_CHARACTERS + 1
  const bytes = () => new Uint8Array(size)
  const words = () => new Int32Array(size)
  return {
    text: '',
    count: 0,
    hash: words(),
    kind: bytes(),
    start: words(),
    end: words(),
    shouted: bytes(),
    stretched: bytes(),
  }
}

export function hashOfWord(word: string): number {
  let hash = HASH_START
  let before = 0
  let run = 0
  for (let at = 0; at < word.length && at < MAX_WORD; at += 1) {
    const code = LOWER_OF[word.charCodeAt(at)]!
    run = code === before ? run + 1 : 1
    before = code
    if (run <= 2) hash = mix(hash, code)
  }
  return hash | 0
}

export function hashesOf(words: string): ReadonlySet<number> {
  return new Set(words.split(/\s+/).map(hashOfWord))
}

export const HASH_START = 0x811c9dc5 | 0

/** FNV-1a. */
export function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

export function lowerOf(code: number): number {
  return LOWER_OF[code]!
}

export function isWordCode(code: number): boolean {
  const type = CLASS_OF[code]!
  return type === LETTER || type === DIGIT || type === UNSPACED
}

function isWordStart(code: number): boolean {
  return isWordCode(code) || code === 95
}

function push(into: Tokens, kind: Kind, hash: number, start: number, end: number): number {
  const at = into.count
  into.hash[at] = hash
  into.kind[at] = kind
  into.start[at] = start
  into.end[at] = end
  into.shouted[at] = 0
  into.stretched[at] = 0
  into.count = at + 1
  return at
}

function isAddress(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32
  if (code === 104) return text.startsWith('http://', at) || text.startsWith('https://', at)
  return code === 119 && text.startsWith('www.', at)
}

function skipAddress(text: string, start: number, end: number, into: Tokens): number {
  let at = start
  while (at < end && CLASS_OF[text.charCodeAt(at)] !== SPACE && text.charCodeAt(at) !== 10) at += 1
  push(into, KIND.address, ADDRESS_HASH, start, at)
  return at
}

/** A word may contain apostrophes between letters; typographic ones count as plain. */
function readWord(text: string, start: number, end: number, into: Tokens, as: Kind): number {
  let at = start
  let hash = HASH_START
  let letters = 0
  let capitals = 0
  let digits = 0
  let before = 0
  let run = 0
  let stretched = 0
  for (; at < end; at += 1) {
    let code = text.charCodeAt(at)
    const type = CLASS_OF[code]!
    if (code === 0x2019) code = 39
    if (code === 39) {
      if (at + 1 >= end || CLASS_OF[text.charCodeAt(at + 1)] !== LETTER) break
    } else if (type === DIGIT) digits += 1
    else if (type !== LETTER && code !== 95) break
    else letters += 1
    const low = LOWER_OF[code]!
    if (low !== code) capitals += 1
    run = low === before ? run + 1 : 1
    before = low
    if (run > 2) stretched = 1
    else if (at - start < MAX_WORD) hash = mix(hash, low)
  }
  if (as === KIND.handle) push(into, as, HANDLE_HASH, start, at)
  else if (letters === 0) push(into, KIND.number, NUMBER_HASH, start, at)
  else if (digits > 1 && at - start > 6) push(into, KIND.code, CODE_HASH, start, at)
  else {
    const token = push(into, as, hash, start, at)
    into.shouted[token] = letters >= 3 && capitals === letters ? 1 : 0
    into.stretched[token] = stretched
  }
  return at
}

/** A run of a script without spaces is one token. */
function readUnspaced(text: string, start: number, end: number, into: Tokens): number {
  let at = start
  let hash = HASH_START
  while (at < end && CLASS_OF[text.charCodeAt(at)] === UNSPACED) {
    if (at - start < MAX_WORD) hash = mix(hash, text.charCodeAt(at))
    at += 1
  }
  push(into, KIND.unspaced, hash, start, at)
  return at
}

function readSign(text: string, start: number, end: number, into: Tokens): number {
  const code = text.charCodeAt(start)
  if (code === 33 || code === 63 || code === 0xff01 || code === 0xff1f) {
    let at = start
    let asks = false
    while (at < end && isMark(text.charCodeAt(at))) {
      asks ||= text.charCodeAt(at) === 63 || text.charCodeAt(at) === 0xff1f
      at += 1
    }
    const many = Math.min(at - start, 3)
    push(into, asks ? KIND.question : KIND.exclamation, mix(mix(HASH_START, asks ? 63 : 33), many), start, at)
    return at
  }
  if (code === 58 || code === 59 || code === 61) return readEmoticon(text, start, end, into)
  if (code === 46 || code === 0x3002 || code === 10) {
    let at = start
    while (at < end && text.charCodeAt(at) === code) at += 1
    push(into, KIND.stop, at - start > 1 && code === 46 ? ELLIPSIS_HASH : STOP_HASH, start, at)
    return at
  }
  if (code === 44 || code === 0x3001) {
    push(into, KIND.comma, COMMA_HASH, start, start + 1)
    return start + 1
  }
  return readSymbol(text, start, end, into)
}

function readSymbol(text: string, start: number, end: number, into: Tokens): number {
  const code = text.charCodeAt(start)
  if (code >= 0xd800 && code <= 0xdbff && start + 1 < end) {
    const low = text.charCodeAt(start + 1)
    if (low >= 0xdc00 && low <= 0xdfff) {
      // Skin tones only vary the emoji before them.
      if (code !== 0xd83c || low < 0xdffb) push(into, KIND.symbol, mix(mix(HASH_START, code), low), start, start + 2)
      return start + 2
    }
    return start + 1
  }
  if (CLASS_OF[code] === SYMBOL || code === 36 || code === 37 || code === 60)
    push(into, KIND.symbol, mix(mix(HASH_START, 1), code), start, start + 1)
  return start + 1
}

/** A colon without a mouth gives no token. */
function readEmoticon(text: string, start: number, end: number, into: Tokens): number {
  let at = start + 1
  if (at < end && (text.charCodeAt(at) === 45 || text.charCodeAt(at) === 39)) at += 1
  const mouth = at < end ? text.charCodeAt(at) : 0
  const glad = mouth === 41 || mouth === 68 || mouth === 80 || mouth === 93
  const sad = mouth === 40 || mouth === 47 || mouth === 91 || mouth === 124
  const next = at + 1 < end ? CLASS_OF[text.charCodeAt(at + 1)]! : SPACE
  // `:P` or `://` inside a word or an address is no emoticon.
  if ((!glad && !sad) || next === LETTER || next === DIGIT || text.charCodeAt(at + 1) === 47) return start + 1
  push(into, KIND.symbol, glad ? GLAD_HASH : SAD_HASH, start, at + 1)
  return at + 1
}

function isMark(code: number): boolean {
  return code === 33 || code === 63 || code === 0xff01 || code === 0xff1f
}

function fillTables(): void {
  const letter = /[\p{L}\p{M}]/u
  const digit = /\p{N}/u
  const symbol = /\p{So}|\p{Emoji_Presentation}/u
  // Han, kana, Thai, Lao, Khmer and Burmese are written without spaces between words.
  const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]/u
  for (let code = 0; code < 65536; code += 1) {
    LOWER_OF[code] = code
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCharCode(code)
    if (unspaced.test(character)) CLASS_OF[code] = UNSPACED
    else if (letter.test(character)) CLASS_OF[code] = LETTER
    else if (digit.test(character)) CLASS_OF[code] = DIGIT
    else if (code !== 10 && /\s/.test(character)) CLASS_OF[code] = SPACE
    else CLASS_OF[code] = symbol.test(character) ? SYMBOL : OTHER
    const lower = character.toLowerCase()
    if (lower.length === 1) LOWER_OF[code] = lower.charCodeAt(0)
  }
}

const ADDRESS_HASH = hashOfWord('<address>')
const HANDLE_HASH = hashOfWord('<handle>')
const NUMBER_HASH = hashOfWord('<number>')
const CODE_HASH = hashOfWord('<code>')
const STOP_HASH = hashOfWord('<stop>')
const ELLIPSIS_HASH = hashOfWord('<ellipsis>')
const COMMA_HASH = hashOfWord('<comma>')
const GLAD_HASH = hashOfWord('<glad>')
const SAD_HASH = hashOfWord('<sad>')
