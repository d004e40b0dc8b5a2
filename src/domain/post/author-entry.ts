import type { AuthorInLink } from '../platform/facts.ts'
import { addressIn, bareHost, isHostWithPath } from '../platform/links.ts'
import { foldAuthorName, LONGEST_ENTRY } from '../platform/names.ts'
import { factsOf, PLATFORMS, type Platform } from '../platform/platforms.ts'
import type { Author } from './post.ts'

/**
 * `normal` is compared with `authorKeysOf`; null `platform` means any. `needsResolving`: only the platform knows the
 * person. `invalid` is for people.
 */
export type AuthorEntry =
  | { normal: string; platform: Platform | null }
  | { needsResolving: true; platform: Platform }
  | { invalid: string }

const TOO_LONG: AuthorEntry = { invalid: `is longer than ${LONGEST_ENTRY} characters` }

/** A link, @handle, u/name, DID or display name. */
export function parseAuthorEntry(entry: string): AuthorEntry {
  const parsed = readEntry(entry)
  return 'normal' in parsed && UNNAMEABLE.test(parsed.normal)
    ? { invalid: 'holds a character that stands in no name' }
    : parsed
}

/** Also from a link's escapes. PostgreSQL rejects some of them. */
const UNNAMEABLE = /[\p{Cc}\p{Cs}]/u

function readEntry(entry: string): AuthorEntry {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return TOO_LONG
  if (text === '') return { invalid: 'is empty' }
  for (const { platform, authorInText } of OWN_FORMS) {
    const author = authorInText(text)
    if (author !== null) return entryOf(platform, author)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return fromAddress(text)
  if (/^\/\/\S+\.\S/.test(text)) return fromAddress(`https:${text}`)
  if (isHostWithPath(text)) return fromAddress(`https://${text}`)
  const name = plainName(text)
  return name === '' ? { invalid: 'names nobody' } : { normal: name, platform: null }
}

const OWN_FORMS = PLATFORMS.flatMap((platform) => {
  const { authorInText } = factsOf(platform).links
  return authorInText === undefined ? [] : [{ platform, authorInText }]
})

const LINKS = PLATFORMS.map(linksOf)
/** A page that no platform owns counts as news. */
const ELSEWHERE = linksOf('news')

function linksOf(platform: Platform) {
  const { owns, authorIn } = factsOf(platform).links
  return { platform, owns, authorIn }
}

function fromAddress(text: string): AuthorEntry {
  const url = addressIn(text)
  if (url === null) return { invalid: 'is no web address' }
  const host = bareHost(url)
  const { platform, authorIn } = LINKS.find(({ owns }) => owns(host, url)) ?? ELSEWHERE
  return entryOf(platform, authorIn(url, host))
}

function entryOf(platform: Platform, author: AuthorInLink): AuthorEntry {
  if (typeof author === 'string') return { normal: author, platform }
  return 'invalid' in author ? author : { needsResolving: true, platform }
}

/**
 * An entry excludes the post when its normal form is among these. Links by handle and id, for LinkedIn as person and
 * company.
 */
export function authorKeysOf(platform: Platform, author: Author): string[] {
  const keys = new Set<string>()
  const handle = author.handle === null ? '' : plainName(author.handle.replace(/^\/?u\//i, ''))
  for (const link of [author.url ?? '', ...profileLinksOf(platform, handle, author.id ?? '')]) {
    const parsed = link === '' ? null : parseAuthorEntry(link)
    if (parsed && 'normal' in parsed) for (const alias of aliasesOf(parsed)) keys.add(alias)
  }
  if (handle !== '') keys.add(handle)
  if (author.name !== null)
    for (const name of [foldAuthorName(author.name), plainName(author.name)]) if (name !== '') keys.add(name)
  return [...keys].filter((key) => !UNNAMEABLE.test(key))
}

function profileLinksOf(platform: Platform, handle: string, id: string): string[] {
  const { profileOfHandle, profileOfId } = factsOf(platform).links
  const links: string[] = []
  if (profileOfHandle && isPartOfLink(handle)) links.push(profileOfHandle(handle))
  if (profileOfId && isPartOfLink(id)) links.push(profileOfId(id))
  return links
}

function isPartOfLink(text: string): boolean {
  return text !== '' && !/[\s/?#]/.test(text)
}

function aliasesOf({ normal, platform }: { normal: string; platform: Platform | null }): string[] {
  return (platform && factsOf(platform).links.aliasesOf?.(normal)) ?? [normal]
}

function plainName(text: string): string {
  const folded = foldAuthorName(text)
  return /^@[^\s@]/.test(folded) && !folded.includes(' ') ? folded.slice(1) : folded
}
