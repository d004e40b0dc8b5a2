import { KIND, type Tokens } from '../text/tokens.ts'
import type { Occurrence, Standing } from './standings.ts'

/** Where the term stands in its line: in a field of a form, a heading, a list, or a sentence. */
export function partOfLine(text: string, tokens: Tokens, { start, end, first, last, from, to }: Occurrence): Standing {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const before = text.slice(Math.max(lineStart, start - MOST_READ), start)
  const lead = before.trimStart()
  if (occursOddly(before, '`')) return 'code'
  if (SENT_FROM.test(before)) return 'signature'
  if (lead.startsWith('#')) return 'heading'
  if (lead.startsWith('>')) return 'quote'
  const nextLine = text.indexOf('\n', end)
  const lineEnd = nextLine < 0 ? text.length : nextLine
  if (lineEnd - lineStart < MOST_FIELD && (FIELD.test(before) || isUnderHeading(text, lineStart))) return 'field'
  if (isListed(tokens, first, last)) return 'list'
  return to - from + 1 < LEAST_PROSE ? 'phrase' : 'prose'
}

/** A short line under a Markdown heading is an answer to a form. */
function isUnderHeading(text: string, lineStart: number): boolean {
  let end = lineStart - 1
  while (end > 0 && text.charCodeAt(end - 1) <= SPACE) end -= 1
  if (end <= 0) return false
  const start = text.lastIndexOf('\n', end - 1) + 1
  return text.startsWith('#', start) || text.startsWith('**', start)
}

/** Commas stand on both sides within three tokens. */
function isListed({ kind, count }: Tokens, first: number, last: number): boolean {
  let commaBefore = false
  let commaBehind = false
  for (let step = 1; step <= 3; step += 1) {
    if (first - step >= 0 && kind[first - step] === KIND.comma) commaBefore = true
    if (last + step < count && kind[last + step] === KIND.comma) commaBehind = true
  }
  return commaBefore && commaBehind
}

function occursOddly(text: string, sign: string): boolean {
  let odd = false
  for (const character of text) if (character === sign) odd = !odd
  return odd
}

const SPACE = 32
/** In characters before the term. */
const MOST_READ = 200
/** In characters: longer lines are prose. */
const MOST_FIELD = 110
/** In tokens. */
const LEAST_PROSE = 4
const FIELD = /^[\s>*+-]{0,6}[*_]{0,2}[\p{L}\p{N}][\p{L}\p{N} ./&()_-]{1,48}[*_]{0,2}(?:\s?[:=]|=>)/u
const SENT_FROM = /(?:sent|posted|typed) (?:from|via) (?:my |the )?$/i
