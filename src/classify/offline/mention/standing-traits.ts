import { KIND, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'
import type { Findings } from './findings.ts'
import { bestOccurrence, endsSentence } from './occurrences.ts'
import type { Occurrence } from './standings.ts'
import type { TokenTones } from './token-tones.ts'

/** The size of a post. */
export const SIZE = [
  'log-words',
  'words<8',
  'words<20',
  'words>60',
  'words>150',
  'title',
  'addresses',
  'hashtags',
  'handles',
  'lines',
  'sentences',
  'positive',
  'negative',
] as const

export function writeSize({ reading, tones }: Findings, into: Float64Array): void {
  const { tokens, counts, titleEnd } = reading
  const { words } = counts
  const { positive, negative } = toneBetween(tones, 0, tokens.count)
  const length = Math.sqrt(tokens.count + 4)
  into.set([
    Math.log1p(words) / 3,
    Number(words < 8),
    Number(words < 20),
    Number(words > 60),
    Number(words > 150),
    Number(titleEnd > 0),
    Math.log1p(counts.addresses) / 2,
    Math.log1p(counts.hashtags) / 2,
    Math.log1p(counts.handles) / 2,
    Math.log1p(linesOf(tokens)) / 3,
    Math.log1p(sentencesOf(tokens)) / 2,
    bounded(positive / length, 3),
    bounded(negative / length, 3),
  ])
}

/** Where and how often the term stands in a post. */
export const PLACE = [
  'absent',
  'twice',
  'often',
  'log-count',
  'density',
  'first',
  'first-token',
  'last',
  'title-only',
  'title-begins',
  'title-early',
  'share-of-sentences',
  'in-first-sentence',
  'in-last-sentence',
  'in-parentheses',
  'in-bullet',
] as const

export function writePlace({ reading, occurrences }: Findings, into: Float64Array): void {
  const { tokens, counts, titleEnd } = reading
  const best = bestOccurrence(occurrences)
  if (best === null) {
    into[0] = 1
    return
  }
  const count = occurrences.length
  const first = occurrences[0]!
  const last = occurrences[count - 1]!
  const length = Math.max(1, tokens.text.length)
  const named = new Set(occurrences.map(({ from }) => from))
  into.set([
    0,
    Number(count > 1),
    Number(count > 3),
    Math.log(count) / 2,
    Math.min(1, (5 * count) / (counts.words + 3)),
    first.start / length,
    Math.log1p(first.first) / 4,
    last.start / length,
    Number(last.start < titleEnd),
    Number(first.start < titleEnd && first.first === 0),
    first.start < titleEnd ? 1 - first.start / titleEnd : 0,
    named.size / sentencesOf(tokens),
    Number(first.from === 0),
    Number(last.to >= tokens.count - 2),
    Number(isEnclosed(tokens.text, best.start)),
    Number(isInBullet(tokens.text, best.start)),
  ])
}

/** The sentence around the term. */
export const SENTENCE = [
  'begins',
  'early',
  'ends',
  'short',
  'long',
  'asks',
  'exclaims',
  'writer',
  'reader',
  'names',
  'numbers',
  'near-positive',
  'near-negative',
  'positive',
  'negative',
  'difference',
] as const

export function writeSentence({ reading: { tokens }, occurrences, tones }: Findings, into: Float64Array): void {
  const best = bestOccurrence(occurrences)
  if (best === null) return
  const { first, last, from, to } = best
  const size = to - from + 1
  const near = nearTone(tones, best)
  const whole = toneBetween(tones, from, to + 1)
  const own = toneBetween(tones, first, last + 1)
  const positive = bounded((2 * (whole.positive - own.positive)) / Math.sqrt(size), 3)
  const negative = bounded((2 * (whole.negative - own.negative)) / Math.sqrt(size), 3)
  const { writer, reader, names, numbers } = wordsAround(tokens, best)
  into.set([
    Number(first === from),
    1 - (first - from) / size,
    Number(last >= to - 1),
    Number(size < 8),
    Number(size > 25),
    Number(tokens.kind[to] === KIND.question),
    Number(tokens.kind[to] === KIND.exclamation),
    Number(writer),
    Number(reader),
    Math.log1p(names) / 2,
    Math.log1p(numbers) / 2,
    bounded(near.positive, 2),
    bounded(near.negative, 2),
    positive,
    negative,
    Math.abs(positive - negative),
  ])
}

function wordsAround(tokens: Tokens, { first, last, from, to }: Occurrence) {
  const found = { writer: false, reader: false, names: 0, numbers: 0 }
  for (let at = from; at <= to; at += 1) {
    if (at >= first && at <= last) continue
    if (tokens.kind[at] === KIND.number) found.numbers += 1
    if (tokens.kind[at] !== KIND.word) continue
    const code = tokens.text.charCodeAt(tokens.start[at]!)
    if (at > from && code >= 65 && code <= 90) found.names += 1
    const hash = tokens.hash[at]!
    if (I.has(hash) || WE.has(hash)) found.writer = true
    if (YOU.has(hash)) found.reader = true
  }
  return found
}

/** Nearer words count more. */
function nearTone(tones: TokenTones, { first, last, from, to }: Occurrence) {
  let positive = 0
  let negative = 0
  for (let at = from; at <= to; at += 1) {
    if (at >= first && at <= last) continue
    const distance = at < first ? first - at : at - last
    positive += tones.positive[at]! / distance
    negative += tones.negative[at]! / distance
  }
  return { positive, negative }
}

function toneBetween(tones: TokenTones, from: number, to: number) {
  let positive = 0
  let negative = 0
  for (let at = from; at < to; at += 1) {
    positive += tones.positive[at]!
    negative += tones.negative[at]!
  }
  return { positive, negative }
}

function linesOf({ text, kind, start, count }: Tokens): number {
  let lines = 0
  for (let at = 0; at < count; at += 1) if (kind[at] === KIND.stop && text.charCodeAt(start[at]!) === 10) lines += 1
  return lines
}

function sentencesOf(tokens: Tokens): number {
  let sentences = 1
  for (let at = 0; at < tokens.count; at += 1) if (endsSentence(tokens, at)) sentences += 1
  return sentences
}

function isEnclosed(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST_ENCLOSED), at)
  return before.lastIndexOf('(') > before.lastIndexOf(')')
}

function isInBullet(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return BULLET.test(line.trimStart().slice(0, 4))
}

export function bounded(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

/** In characters before the term. */
const MOST_ENCLOSED = 60
const BULLET = /^(?:[-*•+]\s|\d+[.)]\s)/
const I = hashesOfList('cues/words/i')
const WE = hashesOfList('cues/words/we')
const YOU = hashesOfList('cues/words/you')
