import type { WithHandles } from '../platform/facts.ts'
import { foldAuthorName } from '../platform/names.ts'
import { factsOf, PLATFORM_FACTS, PLATFORMS, type Platform } from '../platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../post/author-entry.ts'
import { UNKNOWN_AUTHOR } from '../post/post.ts'

/** Platforms whose posts may contain only ids. */
export type HandlePlatform = {
  [On in Platform]: (typeof PLATFORM_FACTS)[On] extends WithHandles ? On : never
}[Platform]
export const HANDLE_PLATFORMS: readonly HandlePlatform[] = PLATFORMS.filter(hasHandles)

function hasHandles(platform: Platform): platform is HandlePlatform {
  return factsOf(platform).handles !== null
}

export interface Handle {
  platform: HandlePlatform
  /** Lower case, without @. */
  handle: string
}

/**
 * A link names one handle, `@name` one per platform. A name without @ is a display name, but a domain is a Bluesky
 * handle.
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
  if (foldAuthorName(entry) !== `@${normal}`) return []
  return HANDLE_PLATFORMS.flatMap((platform) =>
    PLATFORM_FACTS[platform].handles.isHandle(normal) ? [{ platform: platform, handle: normal }] : [],
  )
}

export function keysOfHandle({ platform, handle }: Handle): string[] {
  return [`${PLATFORM_FACTS[platform].handles.profile}${handle}`, handle]
}

/** Null for an invalid id. */
export function keyOfId(platform: HandlePlatform, id: string): string | null {
  const [key] = authorKeysOf(platform, { ...UNKNOWN_AUTHOR, id })
  return key?.startsWith(PLATFORM_FACTS[platform].handles.byId) ? key : null
}

/** Null for keys without id. */
export function platformOfIdKey(key: string): HandlePlatform | null {
  return HANDLE_PLATFORMS.find((platform) => key.startsWith(PLATFORM_FACTS[platform].handles.byId)) ?? null
}

function handleInLink(platform: HandlePlatform, link: string): Handle[] {
  const { isHandle, profile } = PLATFORM_FACTS[platform].handles
  const handle = link.startsWith(profile) ? link.slice(profile.length) : ''
  return isHandle(handle) ? [{ platform, handle }] : []
}
