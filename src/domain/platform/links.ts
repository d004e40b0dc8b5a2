import { canParse } from '../../kernel/can-parse.ts'
import type { AuthorInLink, NeedsResolving } from './facts.ts'

/** Only the platform knows what stands behind a link: a short link, or the link of a post that names nobody. */
export const NEEDS_RESOLVING: NeedsResolving = { needsResolving: true }

/** A link that leads to no person, in words that follow "This entry is invalid:". */
export function nobody(what: string): AuthorInLink {
  return { invalid: `${what} names no person` }
}

export function oneOf(...hosts: string[]): (host: string) => boolean {
  return (host) => hosts.includes(host)
}

const HOST_WITH_PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?\/\S/i

/** True of the address of a page without its scheme. */
export function isHostWithPath(text: string): boolean {
  return HOST_WITH_PATH.test(text)
}

/** An http(s) address in the text, also without its scheme; null when there is none. */
export function addressIn(text: string): URL | null {
  const withScheme = isHostWithPath(text) ? `https://${text}` : text
  if (!/^https?:\/\//i.test(withScheme) || !canParse(withScheme)) return null
  return new URL(withScheme)
}

/** The host without `www.` and without a dot at its end. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/\.$/, '').replace(/^www\./, '')
}

/** Path segments as they stand, without empty ones. */
export function rawSegmentsOf(url: { pathname: string }): string[] {
  return url.pathname.split('/').filter((segment) => segment !== '')
}

/** Path segments, decoded where they can be. */
export function decodedSegmentsOf(url: { pathname: string }): string[] {
  return rawSegmentsOf(url).map(decoded)
}

/** Path segments for the comparison of names: decoded where they can be, with compatibility forms unified. */
export function segmentsOf(url: { pathname: string }): string[] {
  return rawSegmentsOf(url).map(unified)
}

/** A text with its escapes resolved; as it is where they are broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function unified(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFKC')
  } catch {
    return segment
  }
}

/** A segment that is a number; null for any other. */
export function numberIn(segment: string | undefined): string | null {
  return segment !== undefined && /^\d{1,20}$/.test(segment) ? segment : null
}
