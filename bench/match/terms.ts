import { foldTerm, type MatchText } from '../../src/matching/index.ts'
import { randomFrom } from '../../test/random.ts'
import { name } from './corpus.ts'

/**
 * `count` distinct folded terms in an order of which every start is a fair set of its own: words and pairs of words of
 * the posts (one in ten, up to `mostFromPosts`), and made-up names of one to three words. With the default an average
 * post holds about one of the terms, whatever their number: what grows is the index, not what is found.
 */
export function terms(count: number, posts: readonly MatchText[], mostFromPosts = SPOKEN_OF): string[] {
  const random = randomFrom(11)
  const fromPosts = shuffled(wordsAndPairs(posts), random).slice(0, mostFromPosts)
  const chosen = new Set<string>()
  let next = 0
  while (chosen.size < count) {
    if (next < fromPosts.length && random() < FROM_POSTS) {
      chosen.add(fromPosts[next]!)
      next += 1
    } else {
      chosen.add(madeUp(random))
    }
  }
  return [...chosen]
}

function madeUp(random: () => number): string {
  const kind = random()
  if (kind < 0.35) return `${name(random)}${name(random)}`
  if (kind < 0.8) return `${name(random)} ${name(random)}`
  if (kind < 0.95) return `${name(random)} ${name(random)} ${name(random)}`
  return `${name(random)}${name(random)}.com`
}

/** As keywords go: most name something that few posts speak of. */
const FROM_POSTS = 0.1
const SPOKEN_OF = 10_000
/** Words that stand in very many posts name nothing that anybody would watch by themselves. */
const COMMON_WORDS = 1000

function wordsAndPairs(posts: readonly MatchText[]): string[] {
  const sequences = posts.map(({ title, text }) => foldTerm(`${title ?? ''} ${text}`).match(/[\p{L}\p{N}]+/gu) ?? [])
  const common = mostFrequent(sequences, COMMON_WORDS)
  const found = new Set<string>()
  for (const words of sequences) {
    for (const [at, word] of words.entries()) {
      if (word.length >= 2 && word.length <= 40 && !common.has(word)) found.add(word)
      const following = words[at + 1]
      if (following === undefined || word.length + following.length > 60) continue
      if (!common.has(word) || !common.has(following)) found.add(`${word} ${following}`)
    }
  }
  return [...found]
}

function mostFrequent(sequences: readonly (readonly string[])[], count: number): Set<string> {
  const frequency = new Map<string, number>()
  for (const words of sequences) for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const sorted = [...frequency].sort(([, a], [, b]) => b - a)
  return new Set(sorted.slice(0, count).map(([word]) => word))
}

function shuffled(values: string[], random: () => number): string[] {
  for (let at = values.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[values[at], values[other]] = [values[other]!, values[at]!]
  }
  return values
}
