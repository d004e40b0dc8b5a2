import { canParse } from './can-parse.ts'

/** Without tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** NFC, line feeds only, no control characters, no lone surrogates. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '').normalize('NFC').trim()
}

export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

/** Equal for names that differ in compatibility forms or case. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** By UTF-8 bytes, never splitting a character. */
export function truncateBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text)
  let end = maxBytes
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** At most `max` code points; a cut is marked with an ellipsis. */
export function excerpt(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** Well-formed. V8 keeps the whole of a sliced text in memory, so long-lived parts are copied. */
export function ownCopy<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text
}

/** 30-bit FNV-1a over UTF-16 units. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}

/** The normal form of an http or https address, or null. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !canParse(text)) return null
  return new URL(text).href
}
