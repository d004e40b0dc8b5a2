import type { Post } from '../../domain/post/post.ts'
import { type Clock, MINUTE_MS } from '../../kernel/clock.ts'
import { TokenBucket } from '../../kernel/concurrency/token-bucket.ts'
import type { Log } from '../../kernel/log.ts'
import { addWords } from '../../store/counts/word-flow.ts'
import type { Database } from '../../store/database.ts'
import { WordCounts } from './word-counts.ts'

export interface WordFlowOptions {
  db: Database
  clock: Clock
  log: Log
  signal: AbortSignal
}

const PER_BATCH = 3
const TEXT_MOST = 2000
const PER_SECOND = 5
const WRITE_EVERY_MS = 5 * MINUTE_MS

export function sampleOf(posts: readonly Post[]): string[] {
  const count = Math.min(PER_BATCH, posts.length)
  return Array.from({ length: count }, () => {
    const { title, text } = posts[Math.floor(Math.random() * posts.length)]!
    return (title === null ? text : `${title}\n${text}`).slice(0, TEXT_MOST).toWellFormed()
  })
}

export class WordFlow {
  private readonly options: WordFlowOptions
  private readonly counts = new WordCounts()
  private readonly allowance: TokenBucket
  private read = 0
  private sampled = 0
  private from: Date
  readonly ended: Promise<void>

  constructor(options: WordFlowOptions) {
    this.options = options
    this.allowance = new TokenBucket(PER_SECOND, options.clock)
    this.from = options.clock.now()
    this.ended = this.writeAgainAndAgain()
  }

  note(read: number, texts: readonly string[]): void {
    this.read += read
    this.allowance.refill()
    for (const text of texts) {
      if (!this.allowance.take()) return
      this.counts.add(text)
      this.sampled += 1
    }
  }

  private async writeAgainAndAgain(): Promise<void> {
    const { clock, signal } = this.options
    while (!signal.aborted) {
      await clock.wait(WRITE_EVERY_MS, signal)
      if (!signal.aborted) await this.write()
    }
  }

  private async write(): Promise<void> {
    const { db, clock, log } = this.options
    const { read, sampled, from } = this
    const to = clock.now()
    const counted = { read, sampled, from, to, ...this.counts.take() }
    this.read = 0
    this.sampled = 0
    this.from = to
    try {
      if (sampled > 0) await addWords(db, counted)
    } catch (error) {
      // A sample is not retried.
      log.warn({ event: 'word_count.not_recorded', err: error }, 'Word frequencies could not be recorded')
    }
  }
}
