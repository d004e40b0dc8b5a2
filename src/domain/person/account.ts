import { type Uuid, uuidFromName } from '../../kernel/ids.ts'
import type { Platform } from '../platform/platforms.ts'
import type { Author } from '../post/post.ts'

/** Null when nothing identifies the author. The platform's id comes before handle (without case), profile and name. */
export function accountIdOf(
  workspaceId: Uuid,
  platform: Platform,
  author: Pick<Author, 'id' | 'handle' | 'url' | 'name'> | null,
): Uuid | null {
  const key = author && accountKeyOf(author)
  return key ? accountIdOfKey(workspaceId, platform, key) : null
}

export function accountIdOfKey(workspaceId: Uuid, platform: Platform, key: string): Uuid {
  return uuidFromName('account', workspaceId, platform, key)
}

export function accountKeyOf({ id, handle, url, name }: Pick<Author, 'id' | 'handle' | 'url' | 'name'>): string | null {
  if (id) return `id ${id}`
  if (handle) return `handle ${handle.toLowerCase()}`
  if (url) return `url ${url}`
  return name ? `name ${name}` : null
}
