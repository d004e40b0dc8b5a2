import { accountKeyOf } from '../person/account.ts'
import type { Platform } from '../platform/platforms.ts'
import type { Author } from '../post/post.ts'
import { foldReplied } from './named-author.ts'

/** How the author of a post is compared with the list of erased authors. */
export type AuthorIdentity = Pick<Author, 'id' | 'handle' | 'url' | 'name'>

/** Whom to erase: an account of a platform with everything by which posts name it. */
export interface ErasurePlan {
  platform: Platform
  /** Ids of the platform; usually one, none where posts have only a handle. */
  ids: string[]
  /** Of posts without an id, in lower case; of posts without a handle; of posts without any of these. */
  handles: string[]
  urls: string[]
  names: string[]
  /** `accountKeyOf`: new posts with one of these are not stored, and accounts have their ids from them. */
  keys: string[]
  /** Ids, names and handles, folded: answers to the author are stored without what they answer. */
  replied: string[]
}

/** The handle of the newest post stands for posts without an id too; handles may change owners. Newest first. */
export function planOf(platform: Platform, authors: readonly AuthorIdentity[]): ErasurePlan {
  const texts = (part: (author: AuthorIdentity) => string | null) =>
    [...new Set(authors.map(part))].filter((text): text is string => text !== null && text !== '')
  const ids = texts(({ id }) => id)
  const newest = authors.find(({ handle }) => handle)?.handle ?? null
  const handles = texts(({ id, handle }) => (!id || handle === newest ? (handle?.toLowerCase() ?? null) : null))
  const urls = texts(({ id, handle, url }) => (id || handle ? null : url))
  const names = texts(({ id, handle, url, name }) => (id || handle || url ? null : name))
  const keys = [
    ...authors.flatMap((author) => accountKeyOf(author) ?? []),
    ...handles.map((handle) => `handle ${handle}`),
  ]
  // Where a text does not name the answered author, X gives the id.
  const replied = [...ids, ...texts(({ name }) => name), ...texts(({ handle }) => handle)].map(foldReplied)
  return { platform, ids, handles, urls, names, keys: [...new Set(keys)], replied: [...new Set(replied)] }
}
