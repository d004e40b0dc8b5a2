import { isWordCode, KIND, MAX_CHARACTERS, type Tokens } from '../text/tokens.ts'
import { partOfLine } from './lines.ts'
import { type Occurrence, STANDINGS, type Standing } from './standings.ts'

/** The first occurrences of `term` (as `plainTerm` makes it), also inside words and links. */
export function occurrencesOf(term: string, tokens: Tokens, titleEnd: number): Occurrence[] {
  const text = tokens.text.slice(0, MAX_CHARACTERS)
  const lower = text.replace(/[^\S ]|-/g, ' ').toLowerCase()
  // A few letters change their length in lower case; places would not fit then.
  if (term === '' || lower.length !== text.length) return []
  const fences = fencesOf(text)
  const found: Occurrence[] = []
  let token = 0
  for (let start = lower.indexOf(term); start >= 0 && found.length < MOST_OCCURRENCES; ) {
    const end = start + term.length
    while (token < tokens.count && tokens.end[token]! <= start) token += 1
    if (token >= tokens.count) break
    const occurrence = occurrenceAt(tokens, token, start, end)
    occurrence.standing = standingOf(text, tokens, occurrence, titleEnd, fences)
    found.push(occurrence)
    start = lower.indexOf(term, end)
  }
  return found
}

/** The occurrence that says most about the term; null without any. */
export function bestOccurrence(occurrences: readonly Occurrence[]): Occurrence | null {
  let best: Occurrence | null = null
  for (const occurrence of occurrences)
    if (best === null || STANDINGS.indexOf(occurrence.standing) < STANDINGS.indexOf(best.standing)) best = occurrence
  return best
}

/** A stop ends a sentence where white space or a sign follows, unlike in "Node.js". */
export function endsSentence({ text, kind, end }: Tokens, at: number): boolean {
  if (kind[at] === KIND.question || kind[at] === KIND.exclamation) return true
  if (kind[at] !== KIND.stop) return false
  const next = end[at]!
  return text.charCodeAt(next - 1) === NEW_LINE || next >= text.length || !isWordCode(text.charCodeAt(next))
}

function occurrenceAt(tokens: Tokens, first: number, start: number, end: number): Occurrence {
  let last = first
  while (last + 1 < tokens.count && tokens.start[last + 1]! < end) last += 1
  let from = first
  while (from > 0 && first - from < MOST_SENTENCE && !endsSentence(tokens, from - 1)) from -= 1
  let to = last
  while (to + 1 < tokens.count && to - last < MOST_SENTENCE && !endsSentence(tokens, to)) to += 1
  return { start, end, first, last, from, to, standing: 'prose' }
}

function standingOf(
  text: string,
  tokens: Tokens,
  occurrence: Occurrence,
  titleEnd: number,
  fences: readonly number[],
): Standing {
  const { start, end, first } = occurrence
  const kind = tokens.kind[first]!
  if (kind === KIND.address) return 'link'
  if (kind === KIND.hashtag) return isAmongTags(tokens, first) ? 'tags' : 'hashtag'
  if (isWordAt(text, start - 1) || isWordAt(text, end)) return 'within-word'
  if (start < titleEnd) return 'title'
  if (kind === KIND.handle) return isLeading(tokens, first) ? 'leading-handle' : 'handle'
  if (fences.filter((fence) => fence < start).length % 2 === 1) return 'code'
  if (text.lastIndexOf('<!--', start) > text.lastIndexOf('-->', start)) return 'comment'
  return partOfLine(text, tokens, occurrence)
}

function isAmongTags({ kind, count }: Tokens, at: number): boolean {
  return (at > 0 && kind[at - 1] === KIND.hashtag) || (at + 1 < count && kind[at + 1] === KIND.hashtag)
}

/** Replies on social networks begin with the handles of their readers. */
function isLeading({ kind }: Tokens, at: number): boolean {
  for (let before = 0; before < at; before += 1) if (kind[before] !== KIND.handle) return false
  return true
}

/** The places of the fences of code blocks. */
function fencesOf(text: string): number[] {
  const fences: number[] = []
  for (let at = text.indexOf(FENCE); at >= 0 && fences.length < MOST_FENCES; at = text.indexOf(FENCE, at + 3))
    fences.push(at)
  return fences
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && (text.charCodeAt(at) === UNDERSCORE || isWordCode(text.charCodeAt(at)))
}

const FENCE = '```'
const NEW_LINE = 10
const UNDERSCORE = 95
const MOST_OCCURRENCES = 8
const MOST_FENCES = 64
/** In tokens on each side of the term. */
const MOST_SENTENCE = 40
