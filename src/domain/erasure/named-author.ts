import { accountKeyOf } from '../person/account.ts'
import { foldAuthorName } from '../platform/names.ts'
import { factsOf, PLATFORMS, type Platform } from '../platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../post/author-entry.ts'
import type { Author } from '../post/post.ts'
import { type Refusal, refuseField } from '../refusal/refusal.ts'

/** One account of one platform, as an operator names it. */
export interface NamedAuthor {
  platform: Platform
  /** An id, a handle or, where a platform has neither, a name. Null for a link. */
  text: string | null
  /** As among `authorKeysOf`: the profile link, or the handle. */
  normal: string
  /** Part of every author that may be meant, in lower case. */
  within: string
}

/** `platform:id`, `platform:@handle`, or the link of a profile. */
export function parseNamedAuthor(given: string): NamedAuthor | Refusal<'validation_error'> {
  const text = given.trim()
  const platform = PLATFORMS.find((item) => text.startsWith(`${item}:`))
  const named = platform === undefined ? text : text.slice(platform.length + 1).trim()
  const entry = parseAuthorEntry(named)
  if ('invalid' in entry) return refuseField('AUTHOR', entry.invalid)
  if ('needsResolving' in entry)
    return refuseField('AUTHOR', 'is the link of a post; give the link of the profile, or the platform with the id')
  const on = platform ?? entry.platform
  if (on === null)
    return refuseField('AUTHOR', 'must name the platform, such as hackernews:pg, or be the link of a profile')
  if (platform !== undefined && entry.platform !== null && entry.platform !== platform)
    return refuseField('AUTHOR', `names an author at ${entry.platform} and not at ${platform}`)
  const isLink = entry.normal.includes('://')
  return {
    platform: on,
    text: platform === undefined ? null : named,
    normal: entry.normal,
    within: isLink ? lastPartOf(entry.normal) : entry.normal,
  }
}

/** Of a normal profile link: the handle or id. */
function lastPartOf(link: string): string {
  return link
    .split(/[/=@]/)
    .findLast((part) => part !== '')!
    .toLowerCase()
}

export function isNamed({ platform, text, normal }: NamedAuthor, author: Author): boolean {
  if (text !== null && (author.id === text || accountKeyOf(author) === `name ${text}`)) return true
  return authorKeysOf(platform, { ...author, name: null }).includes(normal)
}

/** What a named author has, as far as the name tells it: for authors of whom nothing is stored. */
export function authorFromName({ platform, text, normal, within }: NamedAuthor): Pick<Author, 'id' | 'handle' | 'url'> {
  if (!normal.includes('://')) return { id: text, handle: normal, url: null }
  const { profileOfHandle, profileOfId } = factsOf(platform).links
  const leadsHere = (link: string | undefined) => {
    const entry = link === undefined ? null : parseAuthorEntry(link)
    return entry !== null && 'normal' in entry && entry.normal === normal
  }
  return {
    id: leadsHere(profileOfId?.(within)) ? within : null,
    handle: leadsHere(profileOfHandle?.(within)) ? within : null,
    url: normal,
  }
}

/** Compares how a reply names the author of what it answers. */
export function foldReplied(name: string): string {
  return foldAuthorName(name).replace(/^@/, '')
}
