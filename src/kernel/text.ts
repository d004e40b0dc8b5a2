import { canParse } from './can-parse.ts'

/** Control characters that are never part of a text that people wrote, tab and line feed excepted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Text from outside in the form we keep: NFC, line feeds only, no NUL or other controls, no half surrogate pairs. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '').normalize('NFC').trim()
}

/** `cleanText` on one line: all white space becomes single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

/** The form of a name in which two are the same: compatibility forms and letter case do not count. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The longest start of `text` whose UTF-8 form has at most `maxBytes` bytes, never cutting a character in two. */
export function truncateBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text)
  let end = maxBytes
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** The start of `text` with at most `max` characters (code points), marked with an ellipsis where it was cut. */
export function excerpt(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/**
 * A well-formed text in memory of its own: a part of a text keeps the whole of it, which is not for what is kept for
 * long.
 */
export function ownCopy<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text
}

/**
 * A number of 30 bits that is the same for the same text (FNV-1a over its units), so that what was seen need not be
 * kept itself.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}

/** A web address with http or https in its normal form, or null when it is none. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !canParse(text)) return null
  return new URL(text).href
}
