import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import type { Post } from '../../domain/post/post.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { ownCopy, textHash } from '../../kernel/text.ts'
import { tokens } from '../../matching/index.ts'
import { addWords } from '../../store/counts/word-flow.ts'
import type { Database } from '../../store/database.ts'

/** Counts in how many posts words stand, from a sample of the feeds that are read whole. */
export interface WordFlow {
  /** So many posts were read, and these are texts of some of them, drawn at random. */
  note(read: number, texts: readonly string[]): void
  /** Resolves after the signal, when nothing is written any more. */
  readonly ended: Promise<void>
}

/** Texts that are taken from one batch of a feed. */
const PER_BATCH = 3
const TEXT_MOST = 2000
/** Texts that one process looks into: a few thousandths of what it does for matching. */
const PER_SECOND = 5
const WRITE_EVERY_MS = 5 * MINUTE_MS
/** After so many texts counting begins anew, so that what is kept in memory stays as it is. */
const WINDOW = 20_000
/** What stood in fewer texts of the window is counted by its hash alone. */
const KEPT_FROM = 4
const CELLS = 2 ** 20
const WORDS_MOST = 50_000
/** Companions are counted of words that are neither rare in the window nor in every other text. */
const COMPANIONS_FROM = 20
const COMMON_SHARE = 0.02
const COMPANIED_MOST = 1500
const COMPANIONS_MOST = 48

/** The texts of a batch that are handed to `note`, drawn at random. */
export function sampleOf(posts: readonly Post[]): string[] {
  const count = Math.min(PER_BATCH, posts.length)
  return Array.from({ length: count }, () => {
    const { title, text } = posts[Math.floor(Math.random() * posts.length)]!
    return (title === null ? text : `${title}\n${text}`).slice(0, TEXT_MOST).toWellFormed()
  })
}

/** A count, and how much of it is written down. */
interface Count {
  posts: number
  written: number
}

interface Word extends Count {
  /** Kept for as long as the window lasts, and so no part of the post in which it stood. */
  text: string
  companions: Map<string, Count> | null
}

export function countWords({
  db,
  clock,
  log,
  signal,
}: {
  db: Database
  clock: Clock
  log: Log
  signal: AbortSignal
}): WordFlow {
  const words = new Map<string, Word>()
  const seen = [new Uint8Array(CELLS), new Uint8Array(CELLS)] as const
  const allowance = { left: PER_SECOND, atMs: clock.monotonicMs() }
  let window = 0
  let companied = 0
  let read = 0
  let sampled = 0
  let from = clock.now()

  const count = (text: string) => {
    const found = tokens(text)
    const single = [...new Set(found)].filter((word) => word.length > 1 && word.length <= KEYWORD_LIMITS.termMax)
    const pairs = [...new Set(found.slice(1).map((word, place) => `${found[place]!} ${word}`))].filter(
      (pair) => pair.length <= KEYWORD_LIMITS.termMax,
    )
    for (const one of [...single, ...pairs]) add(one)
    for (const word of single) addCompanions(word, single)
    window += 1
    sampled += 1
  }
  const add = (text: string) => {
    const word = words.get(text)
    if (word) {
      word.posts += 1
      return
    }
    const times = timesSeen(seen, text)
    if (times < KEPT_FROM || words.size >= WORDS_MOST) return
    const own = ownCopy(text)
    words.set(own, { text: own, posts: times, written: 0, companions: null })
  }
  const addCompanions = (text: string, beside: readonly string[]) => {
    const word = words.get(text)
    if (!word || word.posts < COMPANIONS_FROM || word.posts > COMMON_SHARE * Math.max(window, WINDOW / 10)) return
    if (word.companions === null) {
      if (companied >= COMPANIED_MOST) return
      companied += 1
      word.companions = new Map()
    }
    const { companions } = word
    for (const one of beside) {
      const other = one === text ? undefined : words.get(one)
      if (!other || other.posts > COMMON_SHARE * Math.max(window, WINDOW / 10)) continue
      const known = companions.get(other.text)
      if (known) known.posts += 1
      else if (makesRoom(companions)) companions.set(other.text, { posts: 1, written: 0 })
    }
  }
  const begin = () => {
    words.clear()
    for (const cells of seen) cells.fill(0)
    window = 0
    companied = 0
  }
  const write = async () => {
    const to = clock.now()
    const counted = { read, sampled, from, to, ...unwritten(words) }
    read = 0
    sampled = 0
    from = to
    if (window >= WINDOW) begin()
    try {
      if (counted.sampled > 0) await addWords(db, counted)
    } catch (error) {
      // The counts are a sample: what could not be written is not tried again.
      log.warn({ err: error }, 'how often words stand in what is read could not be written down')
    }
  }
  const writing = async () => {
    while (!signal.aborted) {
      await clock.wait(WRITE_EVERY_MS, signal)
      if (!signal.aborted) await write()
    }
  }
  return {
    note(more, texts) {
      read += more
      const nowMs = clock.monotonicMs()
      allowance.left = Math.min(PER_SECOND, allowance.left + ((nowMs - allowance.atMs) * PER_SECOND) / SECOND_MS)
      allowance.atMs = nowMs
      for (const text of texts) {
        if (allowance.left < 1) return
        allowance.left -= 1
        count(text)
      }
    },
    ended: writing(),
  }
}

/** How often a text was seen in the window, this time included: never too few, and hardly ever too many. */
function timesSeen([one, other]: readonly [Uint8Array, Uint8Array], text: string): number {
  const hash = textHash(text)
  const first = hash & (CELLS - 1)
  const second = (Math.imul(hash, 0x85ebca6b) >>> 11) & (CELLS - 1)
  if (one[first]! < 255) one[first]! += 1
  if (other[second]! < 255) other[second]! += 1
  return Math.min(one[first]!, other[second]!)
}

/** Whether one more companion can be counted; those that came once make room. */
function makesRoom(companions: Map<string, Count>): boolean {
  if (companions.size < COMPANIONS_MOST) return true
  for (const [word, { posts }] of companions) if (posts === 1) companions.delete(word)
  return companions.size < COMPANIONS_MOST
}

/** What was counted since it was written down last, which counts as written from now on. */
function unwritten(words: ReadonlyMap<string, Word>) {
  const changed: { words: string; posts: number }[] = []
  const companions: { word: string; companion: string; posts: number }[] = []
  for (const [text, word] of words) {
    if (word.posts > word.written) changed.push({ words: text, posts: word.posts - word.written })
    word.written = word.posts
    for (const [companion, together] of word.companions ?? []) {
      // Once is chance, and most of what stands beside a word does so once.
      if (together.posts < 2 || together.posts === together.written) continue
      companions.push({ word: text, companion, posts: together.posts - together.written })
      together.written = together.posts
    }
  }
  return { words: changed, companions }
}
