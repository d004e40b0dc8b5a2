import { readSeeds } from './seed-file.ts'

/**
 * A name that is also a word, what its company says of itself, posts about it, and posts that use the word otherwise.
 */
interface AmbiguousName {
  term: string
  context: string
  about: readonly string[]
  other: readonly string[]
}

export function ambiguousNames(): AmbiguousName[] {
  const posts = readSeeds('ambiguous-posts', ['term', 'sense', 'text'])
  return readSeeds('ambiguous-names', ['term', 'context']).map(({ term, context }) => {
    const own = (sense: string) => posts.filter((post) => post.term === term && post.sense === sense)
    return { term, context, about: own('about').map(({ text }) => text), other: own('other').map(({ text }) => text) }
  })
}
