import { cleanLine, excerpt } from '../../../kernel/text.ts'
import type { Platform } from '../../platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../../post/author-entry.ts'
import type { Author } from '../../post/post.ts'
import { KEYWORD_LIMITS } from '../keyword.ts'
import type { SampleAuthor } from './evidence.ts'

const SHOWN_NAME_CHARACTERS = 200

/** The profile's link, else the handle, else the name. Null when no entry means this author. */
export function sampleAuthorOf(platform: Platform, author: Author): SampleAuthor | null {
  const keys = new Set(authorKeysOf(platform, author))
  const means = (entry: string) => {
    const parsed = parseAuthorEntry(entry)
    return 'normal' in parsed && keys.has(parsed.normal)
  }
  const entries = [author.url, author.handle && `@${author.handle.replace(/^@/, '')}`, author.handle, author.name]
  const entry = entries.find(
    (entry) =>
      entry && entry === cleanLine(entry) && [...entry].length <= KEYWORD_LIMITS.authorEntryMax && means(entry),
  )
  return entry
    ? { entry, name: excerpt(cleanLine(author.name ?? author.handle ?? entry) || entry, SHOWN_NAME_CHARACTERS) }
    : null
}
