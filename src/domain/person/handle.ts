import type { Platform } from '../platform/platforms.ts'
import { authorKeysOf, foldName, parseAuthorEntry } from '../post/author-entry.ts'

/**
 * Platforms whose posts, as they are matched, may carry nothing of a person but an id behind which people know a
 * handle.
 */
export const HANDLE_PLATFORMS = ['bluesky', 'x', 'youtube'] as const satisfies readonly Platform[]
export type HandlePlatform = (typeof HANDLE_PLATFORMS)[number]

/** A name by which people know somebody on such a platform. */
export interface Handle {
  platform: HandlePlatform
  /** In lower case, without @. */
  handle: string
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What handles look like, what stands before them in the link of a profile, and what before an id. */
const FORMS: {
  readonly [On in HandlePlatform]: { isHandle: (name: string) => boolean; profile: string; byId: string }
} = {
  bluesky: { isHandle: isDomain, profile: 'https://bsky.app/profile/', byId: 'https://bsky.app/profile/did:' },
  x: { isHandle: (name) => /^\w{1,15}$/.test(name), profile: 'https://x.com/', byId: 'https://x.com/i/user/' },
  youtube: {
    isHandle: (name) => /^[\p{L}\p{M}\p{N}_.\u00b7-]{3,30}$/u.test(name),
    profile: 'https://www.youtube.com/@',
    byId: 'https://www.youtube.com/channel/',
  },
}

/**
 * The handles that an author entry names. A link names one of its platform; `@name` one of every platform that has such
 * names. A name without @ is a display name, except that a domain is a handle of Bluesky and of nobody else.
 */
export function handlesOfEntry(entry: string): Handle[] {
  const parsed = parseAuthorEntry(entry)
  if (!('normal' in parsed)) return []
  const { normal, platform } = parsed
  if (platform !== null) return HANDLE_PLATFORMS.flatMap((one) => (one === platform ? handleInLink(one, normal) : []))
  if (isDomain(normal)) return [{ platform: 'bluesky', handle: normal }]
  if (foldName(entry) !== `@${normal}`) return []
  return HANDLE_PLATFORMS.flatMap((one) => (FORMS[one].isHandle(normal) ? [{ platform: one, handle: normal }] : []))
}

/** Every key by which posts are compared that names a handle. */
export function keysOfHandle({ platform, handle }: Handle): string[] {
  return [`${FORMS[platform].profile}${handle}`, handle]
}

/** The key of a person's own id; null when the id is none that posts could carry. */
export function keyOfId(platform: HandlePlatform, id: string): string | null {
  const [key] = authorKeysOf(platform, {
    id,
    name: null,
    handle: null,
    url: null,
    avatarUrl: null,
    followers: null,
    automated: null,
  })
  return key?.startsWith(FORMS[platform].byId) ? key : null
}

/** The platform on which a key names a person by an id that a handle stands for; null for all other keys. */
export function platformOfIdKey(key: string): HandlePlatform | null {
  return HANDLE_PLATFORMS.find((platform) => key.startsWith(FORMS[platform].byId)) ?? null
}

function handleInLink(platform: HandlePlatform, link: string): Handle[] {
  const { isHandle, profile } = FORMS[platform]
  const handle = link.startsWith(profile) ? link.slice(profile.length) : ''
  return isHandle(handle) ? [{ platform, handle }] : []
}

function isDomain(name: string): boolean {
  if (name.length > 253) return false
  const labels = name.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? '')
}
