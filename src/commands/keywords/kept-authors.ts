import { platformOfIdKey } from '../../domain/person/handle.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../../store/database.ts'
import { readIdentities } from '../../store/mention/author-identities.ts'
import { handlesIn, keysWritten, withIdKeys } from '../authors/handle-keys.ts'
import { authorsOfPosts } from './authors-of-posts.ts'
import type { KnownAuthors } from './rules.ts'

/** The people whom a keyword excludes, as the caller wrote them and as they are compared. */
export interface Excluded {
  entries: readonly string[]
  keys: readonly string[]
}

/**
 * The authors behind links of posts in a new list for a keyword, also of posts that are gone, where the keyword has the
 * link already: the author stays as it was found out then. What is stored does not say which keys stand for which link,
 * so a link is given all keys of its platform that nothing else among the entries that go accounts for; when one that
 * goes is itself the link of a lost post, nobody can tell the two apart, and neither is known.
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

/**
 * Keys without those that follow from entries: from what is written, from the handles in it, and from links of posts.
 */
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

/** The platform on which an entry is the link of a post that does not name its author; null for all other entries. */
function linkedPlatform(entry: string): Platform | null {
  const parsed = parseAuthorEntry(entry)
  return 'needsResolving' in parsed ? parsed.platform : null
}

function platformOf(key: string): Platform | null {
  const parsed = parseAuthorEntry(key)
  return platformOfIdKey(key) ?? ('normal' in parsed ? parsed.platform : null)
}
