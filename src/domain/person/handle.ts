import type { WithHandles } from '../platform/facts.ts'
import { foldName } from '../platform/names.ts'
import { factsOf, PLATFORM_FACTS, PLATFORMS, type Platform } from '../platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../post/author-entry.ts'

/**
 * Platforms whose posts, as they are matched, may carry nothing of a person but an id behind which people know a
 * handle.
 */
export type HandlePlatform = {
  [On in Platform]: (typeof PLATFORM_FACTS)[On] extends WithHandles ? On : never
}[Platform]
export const HANDLE_PLATFORMS: readonly HandlePlatform[] = PLATFORMS.filter(hasHandles)

function hasHandles(platform: Platform): platform is HandlePlatform {
  return factsOf(platform).handles !== null
}

/** A name by which people know somebody on such a platform. */
export interface Handle {
  platform: HandlePlatform
  /** In lower case, without @. */
  handle: string
}

/**
 * The handles that an author entry names. A link names one of its platform; `@name` one of every platform that has such
 * names. A name without @ is a display name, except that a domain is a handle of Bluesky and of nobody else.
 */
export function handlesOfEntry(entry: string): Handle[] {
  const parsed = parseAuthorEntry(entry)
  if (!('normal' in parsed)) return []
  const { normal, platform } = parsed
  if (platform !== null)
    return HANDLE_PLATFORMS.flatMap((handlePlatform) =>
      handlePlatform === platform ? handleInLink(handlePlatform, normal) : [],
    )
  if (PLATFORM_FACTS.bluesky.handles.isHandle(normal)) return [{ platform: 'bluesky', handle: normal }]
  if (foldName(entry) !== `@${normal}`) return []
  return HANDLE_PLATFORMS.flatMap((platform) =>
    PLATFORM_FACTS[platform].handles.isHandle(normal) ? [{ platform: platform, handle: normal }] : [],
  )
}

/** Every key by which posts are compared that names a handle. */
export function keysOfHandle({ platform, handle }: Handle): string[] {
  return [`${PLATFORM_FACTS[platform].handles.profile}${handle}`, handle]
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
  return key?.startsWith(PLATFORM_FACTS[platform].handles.byId) ? key : null
}

/** The platform on which a key names a person by an id that a handle stands for; null for all other keys. */
export function platformOfIdKey(key: string): HandlePlatform | null {
  return HANDLE_PLATFORMS.find((platform) => key.startsWith(PLATFORM_FACTS[platform].handles.byId)) ?? null
}

function handleInLink(platform: HandlePlatform, link: string): Handle[] {
  const { isHandle, profile } = PLATFORM_FACTS[platform].handles
  const handle = link.startsWith(profile) ? link.slice(profile.length) : ''
  return isHandle(handle) ? [{ platform, handle }] : []
}
