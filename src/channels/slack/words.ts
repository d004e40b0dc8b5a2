import { cleanLine, cleanText, webAddress } from '../../kernel/text.ts'

/** A text that Slack shows literally. */
export interface PlainText {
  type: 'plain_text'
  text: string
  emoji: false
}

/** `verbatim` prevents automatic links and mentions. */
export interface MarkedText {
  type: 'mrkdwn'
  text: string
  verbatim: true
}

/** `max` counts sent characters; never empty, which Slack refuses. */
export function plainText(text: string, max: number): PlainText {
  return { type: 'plain_text', text: escaped(cleanText(text), max) || EMPTY, emoji: false }
}

export function plainLine(text: string, max: number): PlainText {
  return { type: 'plain_text', text: escaped(cleanLine(text), max) || EMPTY, emoji: false }
}

export function marked(text: string): MarkedText {
  return { type: 'mrkdwn', text, verbatim: true }
}

/** Foreign text between marks: one line, escaped, cut and without marks. */
export function unmarked(text: string, max: number): string {
  return escaped(
    cleanLine(text).replace(/[*_~`|]/g, (mark) => UNMARKED[mark]!),
    max,
  )
}

/** Only the words without a valid address. */
export function link(address: string | null, text: string, max: number): string {
  const words = unmarked(text, max) || EMPTY
  const url = linkAddress(address)
  return url === null ? words : `<${ampersands(url)}|${words}>`
}

/** Null if not valid or too long for Slack. */
export function linkAddress(address: string | null): string | null {
  const url = address === null ? null : webAddress(address)
  // Encodes the characters that delimit a link.
  const safe = url?.replace(/[|<>\s]/g, (mark) => encodeURIComponent(mark)) ?? null
  return safe === null || ampersands(safe).length > LINK_MAX ? null : safe
}

/** `max` counts the escaped text in UTF-16 units. */
export function escaped(text: string, max: number): string {
  let out = ''
  for (const character of text.replace(TURNING, '')) {
    const next = ESCAPES.get(character) ?? character
    if (out.length + next.length > max) return `${cutTo(out, max - 1)}…`
    out += next
  }
  return out
}

const EMPTY = '(no text)'
const LINK_MAX = 2000
/** Change the direction of the following text. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
/** Look-alikes of the marks. */
const UNMARKED: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '|': '∣' }

/** Never cuts an escape or a surrogate pair. */
function cutTo(out: string, max: number): string {
  const cut = out.slice(0, max)
  return cut.replace(/&[a-z]*$/, '').replace(/[\ud800-\udbff]$/, '')
}

function ampersands(url: string): string {
  return url.replaceAll('&', '&amp;')
}
