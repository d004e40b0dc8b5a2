/** A part of a text, and whether the term stands in it. */
export interface TextPart {
  text: string
  marked: boolean
}

const WORD = '[\\p{L}\\p{N}\\p{M}_]'

/** Cuts a text around the whole words of a term, in any letter case; white space in the term fits any white space. */
export function markTerm(text: string, term: string): TextPart[] {
  const escaped = term.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (escaped === '') return [{ text, marked: false }]
  const found = new RegExp(`(?<!${WORD})(${escaped.replace(/\s+/g, '\\s+')})(?!${WORD})`, 'giu')
  // Every second part is what the group of the expression found.
  return text
    .split(found)
    .map((part, index) => ({ text: part, marked: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

/** Characters that an excerpt shows before the term. */
const BEFORE = 80

/** The part of a long text that shows the first place of the term, cut at spaces. */
export function excerptAround(text: string, term: string, length: number): string {
  if (text.length <= length) return text
  const parts = markTerm(text, term)
  const place = parts[0]?.marked || parts.length < 2 ? 0 : parts[0]!.text.length
  const from = place < length - BEFORE ? 0 : text.lastIndexOf(' ', place - BEFORE) + 1
  const end = text.lastIndexOf(' ', from + length)
  const until = end > from + length / 2 ? end : from + length
  return `${from > 0 ? '… ' : ''}${text.slice(from, until)}${until < text.length ? ' …' : ''}`
}
