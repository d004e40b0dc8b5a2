import { canParse } from '../../kernel/can-parse.ts'
import type { AuthorInLink, NeedsResolving } from './facts.ts'

export const NEEDS_RESOLVING: NeedsResolving = { needsResolving: true }

/** `what` names the link; the text follows "This entry is invalid:". */
export function nobody(what: string): AuthorInLink {
  return { invalid: `${what} names no person` }
}

export interface ServerAccount {
  name: string
  server: string
}

const SERVER = /^(?=.{3,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/i

/** Of a handle `name@server`. */
export function accountOf(handle: string): ServerAccount {
  const [name = '', server = ''] = handle.split('@')
  return { name, server }
}

/** Of `name@server`, or of `name` alone at the server of its link; null if the text names none. */
export function accountIn(text: string, url: URL, namePattern: RegExp): ServerAccount | null {
  const port = url.port === '' ? '' : `:${url.port}`
  const [name = '', server = `${bareHost(url)}${port}`, ...others] = text.split('@')
  return namePattern.test(name) && SERVER.test(server) && others.length === 0 ? { name, server } : null
}

export function oneOf(...hosts: string[]): (host: string) => boolean {
  return (host) => hosts.includes(host)
}

const HOST_WITH_PATH = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?\/\S/i

export function isHostWithPath(text: string): boolean {
  return HOST_WITH_PATH.test(text)
}

/** The scheme may be missing. */
export function addressIn(text: string): URL | null {
  const withScheme = isHostWithPath(text) ? `https://${text}` : text
  if (!/^https?:\/\//i.test(withScheme) || !canParse(withScheme)) return null
  return new URL(withScheme)
}

export function bareHost(url: URL): string {
  return url.hostname.replace(/\.$/, '').replace(/^www\./, '')
}

export function rawSegmentsOf(url: { pathname: string }): string[] {
  return url.pathname.split('/').filter((segment) => segment !== '')
}

export function decodedSegmentsOf(url: { pathname: string }): string[] {
  return rawSegmentsOf(url).map(decoded)
}

/** For comparing names: decoded where possible, NFKC. */
export function segmentsOf(url: { pathname: string }): string[] {
  return rawSegmentsOf(url).map(unified)
}

/** Unchanged when its escapes are broken. */
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

/** A page stands for its author: the address without query, fragment and final slash, always https. */
export function pageAsAuthor(url: URL): string {
  return `https://${url.host.replace(/\.$/, '')}${url.pathname.replace(/\/+$/, '')}`
}

export function numberIn(segment: string | undefined): string | null {
  return segment !== undefined && /^\d{1,20}$/.test(segment) ? segment : null
}
