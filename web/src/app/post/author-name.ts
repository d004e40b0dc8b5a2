import { words } from './words.ts'

interface Author {
  name: string | null
  handle: string | null
}

/** The name that an author is known by, or the handle. */
export function authorName(author: Author | null): string {
  return author?.name ?? author?.handle ?? words.unknownAuthor
}
