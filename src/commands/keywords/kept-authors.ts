import { platformOfIdKey } from '../../domain/person/handle.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../../store/database.ts'
import { readIdentities } from '../../store/mention/author-identities.ts'
import { handlesIn, keysWritten, withIdKeys } from '../authors/handle-keys.ts'
import { authorsOfPosts } from './authors-of-posts.ts'
import type { KnownAuthors } from './rules.ts'

export interface Excluded {
  entries: readonly string[]
  keys: readonly string[]
}

/**
 * Keeps the known authors of post links in a changed list, also of deleted posts. Stored keys do not name their link,
 * so a link gets every key of its platform that no removed entry explains; none if a removed entry is itself the link
 * of a deleted post.
 */
export async function authorsAfter(
  reader: Reader,
  workspaceId: Uuid,
  before: Excluded,
  entries: readonly string[],
): Promise<KnownAuthors> {
  const staying = new Set(entries)
  const going = before.entries.filter((entry) => !staying.has(entry))
  const known = await authorsOfPosts(reader, workspaceId, [...entries, ...going])
  const lost = (some: readonly string[]) => some.filter((entry) => linkedPlatform(entry) !== null && !known.has(entry))
  const lostForGood = new Set(lost(going).map(linkedPlatform))
  const kept = lost(before.entries).filter((entry) => staying.has(entry) && !lostForGood.has(linkedPlatform(entry)))
  if (kept.length === 0) return known
  const left = await withoutKeysOf(reader, before.keys, going, known)
  const found = kept.flatMap((entry) => {
    const keys = left.filter((key) => platformOf(key) === linkedPlatform(entry))
    return keys.length === 0 ? [] : [[entry, keys] as const]
  })
  return new Map([...known, ...found])
}

async function withoutKeysOf(
  reader: Reader,
  keys: readonly string[],
  entries: readonly string[],
  known: KnownAuthors,
): Promise<string[]> {
  const identities = await readIdentities(reader, handlesIn(entries))
  const theirs = new Set([
    ...withIdKeys([...keysWritten(entries)], entries, identities),
    ...entries.flatMap((entry) => known.get(entry) ?? []),
  ])
  return keys.filter((key) => !theirs.has(key))
}

/** The platform of a post link that does not name its author, else null. */
function linkedPlatform(entry: string): Platform | null {
  const parsed = parseAuthorEntry(entry)
  return 'needsResolving' in parsed ? parsed.platform : null
}

function platformOf(key: string): Platform | null {
  const parsed = parseAuthorEntry(key)
  return platformOfIdKey(key) ?? ('normal' in parsed ? parsed.platform : null)
}
