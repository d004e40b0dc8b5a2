import { type Uuid, uuidFromName } from '../../kernel/ids.ts'
import type { Platform } from '../platform/platforms.ts'
import type { Author } from '../post/post.ts'

/**
 * The id of an author as a workspace sees it; null where nothing tells one author from another. The platform's own id
 * is the surest sign, then the handle, then the profile, and last the name; handles are compared without regard to
 * case.
 */
export function accountIdOf(
  workspaceId: Uuid,
  platform: Platform,
  author: Pick<Author, 'id' | 'handle' | 'url' | 'name'> | null,
): Uuid | null {
  const key = author && accountKeyOf(author)
  return key ? uuidFromName('account', workspaceId, platform, key) : null
}

/** What tells an author from the others of their platform; null where nothing does. */
export function accountKeyOf({ id, handle, url, name }: Pick<Author, 'id' | 'handle' | 'url' | 'name'>): string | null {
  if (id) return `id ${id}`
  if (handle) return `handle ${handle.toLowerCase()}`
  if (url) return `url ${url}`
  return name ? `name ${name}` : null
}
