import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { ownCopy, textHash } from '../../kernel/text.ts'
import { tokens } from '../../matching/index.ts'

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

/** What was counted since it was written down last. */
export interface CountedWords {
  words: { words: string; posts: number }[]
  companions: { word: string; companion: string; posts: number }[]
}

/** In how many texts of a window words and pairs of words stand, and which words stand together. */
export class WordCounts {
  private readonly words = new Map<string, Word>()
  private readonly seen = [new Uint8Array(CELLS), new Uint8Array(CELLS)] as const
  /** Texts of the window so far. */
  private texts = 0
  /** Words whose companions are counted. */
  private companied = 0

  add(text: string): void {
    const found = tokens(text)
    const single = [...new Set(found)].filter((word) => word.length > 1 && word.length <= KEYWORD_LIMITS.termMax)
    const pairs = [...new Set(found.slice(1).map((word, place) => `${found[place]!} ${word}`))].filter(
      (pair) => pair.length <= KEYWORD_LIMITS.termMax,
    )
    for (const words of [...single, ...pairs]) this.addWords(words)
    for (const word of single) this.addCompanions(word, single)
    this.texts += 1
  }

  /** What was counted since the last call. Begins a new window once the present one is full. */
  take(): CountedWords {
    const counted = unwritten(this.words)
    if (this.texts >= WINDOW) this.beginWindow()
    return counted
  }

  private beginWindow(): void {
    this.words.clear()
    for (const cells of this.seen) cells.fill(0)
    this.texts = 0
    this.companied = 0
  }

  private addWords(text: string): void {
    const word = this.words.get(text)
    if (word) {
      word.posts += 1
      return
    }
    const times = timesSeen(this.seen, text)
    if (times < KEPT_FROM || this.words.size >= WORDS_MOST) return
    const own = ownCopy(text)
    this.words.set(own, { text: own, posts: times, written: 0, companions: null })
  }

  private addCompanions(text: string, beside: readonly string[]): void {
    const word = this.words.get(text)
    if (!word || word.posts < COMPANIONS_FROM || this.isCommon(word)) return
    const companions = this.companionsOf(word)
    if (companions === null) return
    for (const words of beside) {
      const other = words === text ? undefined : this.words.get(words)
      if (!other || this.isCommon(other)) continue
      const known = companions.get(other.text)
      if (known) known.posts += 1
      else if (makesRoom(companions)) companions.set(other.text, { posts: 1, written: 0 })
    }
  }

  /** Null when companions of enough other words are counted already. */
  private companionsOf(word: Word): Map<string, Count> | null {
    if (word.companions === null && this.companied < COMPANIED_MOST) {
      this.companied += 1
      word.companions = new Map()
    }
    return word.companions
  }

  private isCommon({ posts }: Word): boolean {
    return posts > COMMON_SHARE * Math.max(this.texts, WINDOW / 10)
  }
}

/** How often a text was seen in the window, this time included: never too few, and hardly ever too many. */
function timesSeen([item, other]: readonly [Uint8Array, Uint8Array], text: string): number {
  const hash = textHash(text)
  const first = hash & (CELLS - 1)
  const second = (Math.imul(hash, 0x85ebca6b) >>> 11) & (CELLS - 1)
  if (item[first]! < 255) item[first]! += 1
  if (other[second]! < 255) other[second]! += 1
  return Math.min(item[first]!, other[second]!)
}

/** Whether one more companion can be counted; those that came once make room. */
function makesRoom(companions: Map<string, Count>): boolean {
  if (companions.size < COMPANIONS_MOST) return true
  for (const [word, { posts }] of companions) if (posts === 1) companions.delete(word)
  return companions.size < COMPANIONS_MOST
}

/** What was counted since it was written down last, which counts as written from now on. */
function unwritten(words: ReadonlyMap<string, Word>): CountedWords {
  const changed: CountedWords['words'] = []
  const companions: CountedWords['companions'] = []
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
