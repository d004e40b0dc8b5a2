import { authorKeysOf } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchWords } from '../../matching/index.ts'

export function wordsOfPost({ title, text, author }: Post): string[] {
  return searchWords([title, text, author?.name, author?.handle].filter((part) => part !== null && part !== undefined))
}

export function authorKeysOfPost({ platform, author }: Post): string[] {
  return author ? authorKeysOf(platform, author) : []
}
