import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { ownCopy, textHash } from '../../kernel/text.ts'
import { tokens } from '../../matching/index.ts'

/** Texts per window. A new window bounds the memory. */
const WINDOW = 20_000
/** Words in fewer texts of the window are counted by hash alone. */
const KEPT_FROM = 4
const CELLS = 2 ** 20
const WORDS_MOST = 50_000
/** Companions are counted for words that are neither rare nor in every other text. */
const COMPANIONS_FROM = 20
const COMMON_SHARE = 0.02
const COMPANIED_MOST = 1500
const COMPANIONS_MOST = 48

interface Count {
  posts: number
  written: number
}

interface Word extends Count {
  /** A copy of its own, so that it does not hold the post's text in memory. */
  text: string
  companions: Map<string, Count> | null
}

export interface WordCountsOfFlow {
  words: { words: string; posts: number }[]
  companions: { word: string; companion: string; posts: number }[]
}

export class WordCounts {
  private readonly words = new Map<string, Word>()
  private readonly seen = [new Uint8Array(CELLS), new Uint8Array(CELLS)] as const
  private texts = 0
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

  /** Begins a new window when this one is full. */
  take(): WordCountsOfFlow {
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

  /** Null when enough words have companions. */
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

/** Count-min sketch: never too few, rarely too many. */
function timesSeen([item, other]: readonly [Uint8Array, Uint8Array], text: string): number {
  const hash = textHash(text)
  const first = hash & (CELLS - 1)
  const second = (Math.imul(hash, 0x85ebca6b) >>> 11) & (CELLS - 1)
  if (item[first]! < 255) item[first]! += 1
  if (other[second]! < 255) other[second]! += 1
  return Math.min(item[first]!, other[second]!)
}

function makesRoom(companions: Map<string, Count>): boolean {
  if (companions.size < COMPANIONS_MOST) return true
  for (const [word, { posts }] of companions) if (posts === 1) companions.delete(word)
  return companions.size < COMPANIONS_MOST
}

function unwritten(words: ReadonlyMap<string, Word>): WordCountsOfFlow {
  const changed: WordCountsOfFlow['words'] = []
  const companions: WordCountsOfFlow['companions'] = []
  for (const [text, word] of words) {
    if (word.posts > word.written) changed.push({ words: text, posts: word.posts - word.written })
    word.written = word.posts
    for (const [companion, together] of word.companions ?? []) {
      if (together.posts < 2 || together.posts === together.written) continue
      companions.push({ word: text, companion, posts: together.posts - together.written })
      together.written = together.posts
    }
  }
  return { words: changed, companions }
}
