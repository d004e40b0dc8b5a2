import { stripVTControlCharacters } from 'node:util'

/** Controls, and marks that reverse or hide text. Joiners of scripts and emoji stay. */
const UNSAFE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const UNSAFE_BUT_LINES = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu
const IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** One line that moves no cursor, sets no title and copies nothing, whoever wrote it. */
export function cleanLine(text: string): string {
  return stripVTControlCharacters(text).replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
}

/** The same with its line breaks. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(UNSAFE_BUT_LINES, ' ')
}

/** JSON escapes most controls itself; terminals also obey some that it leaves. The value stays the same. */
export function cleanJson(value: unknown, indent?: number): string {
  const escaped = (unsafe: string) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, indent).replace(IN_JSON, escaped)
}
