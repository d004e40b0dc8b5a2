import type { SamplePost } from './evidence.ts'

export interface NoiseAuthor {
  name: string
  entry: string
  noisePosts: number
}

const POSTS_LEAST = 3

/** Authors with three or more noise posts and no relevant one, most noise first. */
export function noiseAuthorsOf(posts: readonly SamplePost[]): NoiseAuthor[] {
  const authors = new Map<string, NoiseAuthor>()
  for (const { author, relevant } of posts) {
    if (author === null || relevant) continue
    const known = authors.get(author.entry) ?? { ...author, noisePosts: 0 }
    authors.set(author.entry, { ...known, noisePosts: known.noisePosts + 1 })
  }
  const wanted = new Set(posts.flatMap(({ author, relevant }) => (relevant && author !== null ? [author.entry] : [])))
  return [...authors.values()]
    .filter(({ entry, noisePosts }) => noisePosts >= POSTS_LEAST && !wanted.has(entry))
    .sort((a, b) => b.noisePosts - a.noisePosts || (a.entry < b.entry ? -1 : 1))
}
