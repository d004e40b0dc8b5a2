import { authorKeysOf } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchWords } from '../../matching/index.ts'

/** What the search of lists finds a post by: the words of its text and of its author's names. */
export function wordsOfPost({ title, text, author }: Post): string[] {
  return searchWords([title, text, author?.name, author?.handle].filter((part) => part !== null && part !== undefined))
}

/** Every normal form of the author of a post. */
export function authorKeysOfPost({ platform, author }: Post): string[] {
  return author ? authorKeysOf(platform, author) : []
}
