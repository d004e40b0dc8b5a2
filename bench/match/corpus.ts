import { existsSync, readFileSync } from 'node:fs'
import type { MatchText } from '../../src/matching/contract.ts'
import { randomFrom } from '../../test/random.ts'

const POSTS = new URL('../../../shared/data/posts.jsonl', import.meta.url)
/**
 * Share of the posts in scripts without spaces (or in Hangul), and the mean length of all, as on the platforms
 * together.
 */
const UNSPACED_SHARE = 0.17
const MEAN_UNITS = 196

export function asText(title: string | null, text: string, links: readonly string[] = []): MatchText {
  return { scope: 0, title, text, links, authorKeys: [], authorName: null }
}

/**
 * `count` posts: real ones where they are at hand, else generated; some in scripts without spaces; about 196 units
 * each.
 */
export function posts(count: number): { posts: MatchText[]; origin: string } {
  const random = randomFrom(7)
  const real = existsSync(POSTS)
  const spaced = real
    ? realPosts()
    : Array.from({ length: 14_000 }, () => asText(null, sentence(random, 12 + Math.floor(random() * 40))))
  const mixed: MatchText[] = []
  let units = 0
  for (let at = 0; at < count; at += 1) {
    const post = random() < UNSPACED_SHARE ? unspacedPost(random) : spaced[Math.floor(random() * spaced.length)]!
    // Short posts are drawn again while the mean is too low.
    const tooShort = units < at * MEAN_UNITS && lengthOf(post) < MEAN_UNITS / 3
    const chosen = tooShort ? spaced[Math.floor(random() * spaced.length)]! : post
    mixed.push(fresh(chosen))
    units += lengthOf(chosen)
  }
  return { posts: mixed, origin: real ? 'real posts and 17 % generated ones without spaces' : 'generated posts' }
}

export function lengthOf(post: MatchText): number {
  return (post.title?.length ?? 0) + post.text.length
}

/** Through JSON as events arrive, so that every string is flat and its own. */
function fresh(post: MatchText): MatchText {
  return JSON.parse(JSON.stringify(post)) as MatchText
}

function realPosts(): MatchText[] {
  const lines = readFileSync(POSTS, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const row = JSON.parse(line) as { title?: string; text?: string; link?: string }
    return asText(row.title || null, row.text ?? '', row.link ? [row.link] : [])
  })
}

const SYLLABLES = (
  'ba be bi bo ca co da de di do el en er fa fi ga go ha he in is ka ki la le li lo ma me mi mo na ne no on or pa ' +
  'pe ra re ri ro sa se si so ta te ti to un va ve vi vo wa we za'
).split(' ')

/** A made-up name of two to four syllables. */
export function name(random: () => number): string {
  const length = 2 + Math.floor(random() * 3)
  return Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]!).join('')
}

function sentence(random: () => number, words: number): string {
  const text = Array.from(
    { length: words },
    () =>
      SYLLABLES[Math.floor(random() ** 2 * SYLLABLES.length)]! +
      (random() < 0.6 ? SYLLABLES[Math.floor(random() * 20)]! : ''),
  ).join(' ')
  return `${text[0]!.toUpperCase()}${text.slice(1)}. https://example.com/${name(random)}`
}

const RANGES: readonly (readonly [from: number, size: number])[] = [
  [0x4e00, 3000],
  [0x3041, 82],
  [0x30a1, 85],
  [0xac00, 4000],
  [0x0e01, 46],
]
/** Which of the ranges a text is made of, by where a random number falls. */
const PARTS: readonly (readonly [from: number, to: number, below: number])[] = [
  [0, 1, 0.5],
  [0, 3, 0.8],
  [3, 4, 0.95],
  [4, RANGES.length, 1],
]

function unspacedPost(random: () => number): MatchText {
  const length = 30 + Math.floor(random() * 160)
  const kind = random()
  const [from, to] = PARTS.find(([, , below]) => kind < below)!
  const ranges = RANGES.slice(from, to)
  let text = ''
  while (text.length < length) {
    const [from, size] = ranges[Math.floor(random() * ranges.length)]!
    const run = 2 + Math.floor(random() * 8)
    for (let at = 0; at < run; at += 1) text += String.fromCharCode(from + Math.floor(random() ** 2 * size))
    if (random() < 0.2) text += random() < 0.5 ? '、' : ' '
  }
  return asText(null, text)
}
