import { cleanLine, cleanText, webAddress } from '../../kernel/text.ts'

/** A text that Slack shows letter by letter. */
export interface PlainText {
  type: 'plain_text'
  text: string
  emoji: false
}

/** A text with marks of ours in it. `verbatim` keeps Slack from making links and mentions out of words. */
export interface MarkedText {
  type: 'mrkdwn'
  text: string
  verbatim: true
}

/**
 * A text of others with its lines, escaped and cut to so many characters of what is sent; never empty, which Slack
 * refuses.
 */
export function plainText(text: string, max: number): PlainText {
  return { type: 'plain_text', text: escaped(cleanText(text), max) || EMPTY, emoji: false }
}

/** The same on one line. */
export function plainLine(text: string, max: number): PlainText {
  return { type: 'plain_text', text: escaped(cleanLine(text), max) || EMPTY, emoji: false }
}

export function marked(text: string): MarkedText {
  return { type: 'mrkdwn', text, verbatim: true }
}

/**
 * A text of others for a place between marks: on one line, escaped, cut, and without anything that is a mark itself.
 */
export function unmarked(text: string, max: number): string {
  return escaped(
    cleanLine(text).replace(/[*_~`|]/g, (mark) => UNMARKED[mark]!),
    max,
  )
}

/** A link whose words are `text`; only the words where the address cannot be one. */
export function link(address: string | null, text: string, max: number): string {
  const words = unmarked(text, max) || EMPTY
  const url = linkAddress(address)
  return url === null ? words : `<${ampersands(url)}|${words}>`
}

/** An address that a link or a button may have; null when it is none, or too long for Slack. */
export function linkAddress(address: string | null): string | null {
  const url = address === null ? null : webAddress(address)
  // What stands between the address and the words of a link, and its ends, are no part of it.
  const safe = url?.replace(/[|<>\s]/g, (mark) => encodeURIComponent(mark)) ?? null
  return safe === null || ampersands(safe).length > LINK_MAX ? null : safe
}

/** The three characters that mean something to Slack, escaped; `max` counts what comes out, in UTF-16 units. */
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
/** Characters that turn the direction of what follows, also of what is not theirs. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
/** Letters that look like the marks and are none. */
const UNMARKED: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ', '|': '∣' }

/** Never in the middle of an escape or of a pair of surrogates. */
function cutTo(out: string, max: number): string {
  const cut = out.slice(0, max)
  return cut.replace(/&[a-z]*$/, '').replace(/[\ud800-\udbff]$/, '')
}

function ampersands(url: string): string {
  return url.replaceAll('&', '&amp;')
}
