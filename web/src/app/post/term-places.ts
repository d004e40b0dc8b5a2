export interface Place {
  from: number
  to: number
}

/** Characters that make a longer word of a term beside them. */
const JOINED = '[\\p{L}\\p{N}\\p{M}_]'

/**
 * Places of a term in a text, by letters and case folding; white space in the term fits any white space. The exact
 * places are those of the explanation; this is for lists, which ask nothing of the server.
 */
export function placesOf(term: string, text: string): Place[] {
  const wanted = term.replaceAll('"', '').trim()
  if (wanted === '') return []
  const pattern = new RegExp(`(?<!${JOINED})${escaped(wanted)}(?!${JOINED})`, 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
}

export interface TextPart {
  text: string
  isMarked: boolean
  at: number
}

/** A text cut where its places begin and end. Places outside of the text or inside of an earlier one are left out. */
export function partsOf(text: string, places: readonly Place[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  const push = (to: number, isMarked: boolean) => {
    if (to > at) parts.push({ text: text.slice(at, to), isMarked, at })
    at = Math.max(at, to)
  }
  for (const { from, to } of [...places].sort((first, second) => first.from - second.from)) {
    if (from < at || to > text.length || to <= from) continue
    push(from, false)
    push(to, true)
  }
  push(text.length, false)
  return parts
}

/** Characters before the first mark in a cut text. */
const LEAD = 60

/** The text from shortly before its first mark, so that a row of two lines shows the mark. */
export function aroundFirstMark(text: string, term: string): string {
  const first = placesOf(term, text)[0]
  if (first === undefined || first.from <= LEAD * 2) return text
  const start = text.indexOf(' ', first.from - LEAD)
  return `…${text.slice(start < 0 || start > first.from ? first.from : start + 1)}`
}

/** Characters that an excerpt shows before the term. */
const BEFORE = 80

/** The part of a long text that shows the first place of the term, cut at spaces. */
export function excerptAround(text: string, term: string, length: number): string {
  if (text.length <= length) return text
  const place = placesOf(term, text)[0]?.from ?? 0
  const from = place < length - BEFORE ? 0 : text.lastIndexOf(' ', place - BEFORE) + 1
  const end = text.lastIndexOf(' ', from + length)
  const until = end > from + length / 2 ? end : from + length
  return `${from > 0 ? '… ' : ''}${text.slice(from, until)}${until < text.length ? ' …' : ''}`
}
