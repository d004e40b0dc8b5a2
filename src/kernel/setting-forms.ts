import { z } from 'zod'
import { canParse } from './can-parse.ts'
import { parseIpRange } from './ip-range.ts'
import type { Obtaining } from './settings.ts'

/** What `problem` returns follows the name of the setting. */
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

/** In millionths of a dollar. */
export const microUsd = textLike(/^\d{1,6}(\.\d{1,6})?$/, 'must be an amount of dollars such as 2 or 0.5').transform(
  (dollars) => Math.round(Number(dollars) * 1_000_000),
)

export const webAddress = textWithout(addressProblem)

/** Without a path; the value is the origin. */
export const webOrigin = textWithout(
  (text) => addressProblem(text) ?? (new URL(text).pathname === '/' ? null : 'must have no path'),
)

function addressProblem(text: string): string | null {
  if (!canParse(text)) return 'must be an address such as http://host:port'
  const { protocol, search, hash, username } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
  return search || hash || username ? 'must have no user name, query or fragment' : null
}

/** Keys travel in headers and addresses: a blank in one is a typo. */
export const keyText = textLike(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 printable ASCII characters without blanks')

export const headerText = textLike(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')

/** Of an outside service. */
export function key(meaning: string, fallback: string, obtain?: Obtaining) {
  const setting = { meaning, form: 'text without blanks', fallback, secret: true, schema: keyText } as const
  return obtain === undefined ? setting : { ...setting, obtain }
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Not empty. */
export function listWhere(fits: (entry: string) => boolean, message: string) {
  return textWithout((text) => (listOf(text).length > 0 && listOf(text).every(fits) ? null : message)).transform(listOf)
}

const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i

function hostNamesWhere(fits: (host: string) => boolean, message: string) {
  const isHost = (host: string) => HOST_NAME.test(host) && canParse(`https://${host}`)
  return listWhere((host) => isHost(host) && fits(host), message).transform((hosts) => [
    ...new Set(hosts.map((host) => host.toLowerCase())),
  ])
}

/** With a port where it is another than the usual one. Each once. */
export const hostNames = hostNamesWhere(() => true, 'must be host names separated by commas')

/** Like `hostNames`, of servers of the internet: the name of a product is none. */
export const publicHostNames = hostNamesWhere(
  (host) => host.includes('.'),
  'must be host names such as social.example, separated by commas',
)

export function someOf<const Word extends string>(words: readonly Word[]) {
  const isWord = (entry: string): entry is Word => words.some((word) => word === entry)
  return listWhere(isWord, `must be some of ${words.join(', ')}, separated by commas`).transform((entries) =>
    entries.filter(isWord),
  )
}

export function rangesProblem(entries: readonly string[]): string | null {
  const bad = entries.find((entry) => parseIpRange(entry) === null)
  return bad === undefined ? null : `${JSON.stringify(bad)} is no IP address or range of addresses such as 10.0.0.0/8`
}
