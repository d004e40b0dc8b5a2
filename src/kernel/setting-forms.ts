import { z } from 'zod'
import { canParse } from './can-parse.ts'
import { parseIpRange } from './ip-range.ts'

/** Text of which `problem` finds nothing to say; what it says comes after the name of the setting. */
export function textWithout(problem: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const message = problem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
}

export function textLike(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message)
}

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

export function wholeNumber(low: number, high: number) {
  return textWithout((text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high
      ? null
      : `must be a whole number from ${low} to ${high}`,
  ).transform(Number)
}

/** An amount of dollars, in millionths of one. */
export const microUsd = textLike(/^\d{1,6}(\.\d{1,6})?$/, 'must be an amount of dollars such as 2 or 0.5').transform(
  (dollars) => Math.round(Number(dollars) * 1_000_000),
)

/** An address under which something is asked, by http or https. */
export const webAddress = textWithout(addressProblem)

/** An address without a path; the value is its origin. */
export const webOrigin = textWithout(
  (text) => addressProblem(text) ?? (new URL(text).pathname === '/' ? null : 'must have no path'),
)

function addressProblem(text: string): string | null {
  if (!canParse(text)) return 'must be an address such as http://host:port'
  const { protocol, search, hash, username } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
  return search || hash || username ? 'must have no user name, query or fragment' : null
}

/** Keys travel in headers and addresses: a blank or a line break in one is a slip. */
export const keyText = textLike(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 printable ASCII characters without blanks')

/** Text that travels in a header, such as the name under which a client introduces itself. */
export const headerText = textLike(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')

/** A secret key for the interface of somebody else. */
export function key(meaning: string, fallback: string) {
  return { meaning, form: 'text without blanks', fallback, secret: true, schema: keyText } as const
}

/** The entries of a list that is separated by commas. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** A list that is not empty and each of whose entries fits. */
export function listWhere(fits: (entry: string) => boolean, message: string) {
  return textWithout((text) => (listOf(text).length > 0 && listOf(text).every(fits) ? null : message)).transform(listOf)
}

export function someOf<const Word extends string>(words: readonly Word[]) {
  const isWord = (entry: string): entry is Word => words.some((word) => word === entry)
  return listWhere(isWord, `must be some of ${words.join(', ')}, separated by commas`).transform((entries) =>
    entries.filter(isWord),
  )
}

/** What is wrong with the first entry that is neither an IP address nor a range of them. */
export function rangesProblem(entries: readonly string[]): string | null {
  const bad = entries.find((entry) => parseIpRange(entry) === null)
  return bad === undefined ? null : `${JSON.stringify(bad)} is no IP address or range of addresses such as 10.0.0.0/8`
}
