import type { Platform } from '../../domain/platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Author } from '../../domain/post/post.ts'
import { nativeIdInLink } from '../../domain/post/post-link.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../../store/database.ts'
import { readOwnAuthors } from '../../store/mention/author-identities.ts'
import type { KnownAuthors } from './rules.ts'

/** Reads only the workspace's own mentions, to reveal nothing of others. */
export async function authorsOfPosts(
  reader: Reader,
  workspaceId: Uuid,
  entries: readonly string[],
): Promise<KnownAuthors> {
  const linked = entries.flatMap((entry) => {
    const parsed = parseAuthorEntry(entry)
    const nativeId = 'needsResolving' in parsed ? nativeIdInLink(parsed.platform, entry) : null
    return 'needsResolving' in parsed && nativeId !== null ? [{ entry, platform: parsed.platform, nativeId }] : []
  })
  if (linked.length === 0) return new Map()
  const authors = await readOwnAuthors(reader, workspaceId, linked)
  return new Map(
    linked.flatMap(({ entry, platform }, place) => {
      const author = authors[place]
      const keys = author ? profileKeysOf(platform, author) : []
      return keys.length === 0 ? [] : [[entry, keys] as const]
    }),
  )
}

/** Handle and id, but not the name, which others may share. */
function profileKeysOf(platform: Platform, author: Author): string[] {
  const { handle } = author
  const nameless = { ...author, name: null, handle: handle?.includes('/') ? null : handle }
  return authorKeysOf(platform, nameless).filter((key) => key.startsWith('https://'))
}
