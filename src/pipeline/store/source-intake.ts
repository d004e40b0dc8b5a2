import { SECOND_MS } from '../../kernel/clock.ts'
import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Semaphore } from '../../kernel/concurrency/semaphore.ts'
import type { Brought } from '../read/read.ts'
import { isNothing, NOTHING, type Size, sizeOf } from '../watch/changes.ts'
import type { BatchIntake } from './intake.ts'
import { type GroupOptions, joined, newer, type StoreEntry, storeGroup, takeGroup } from './store-group.ts'

export interface IntakeOptions extends GroupOptions {
  onStored(): void
  transactions: Semaphore
  onResized(size: Size): void
}

const CURSOR_EVERY_MS = SECOND_MS
/** Backlog of one source. The batch that exceeds it is taken, and the next waits. */
export const PENDING_MAX: Size = { posts: 2000, mentions: 2000, bytes: 8 * 1024 * 1024 }

/** A group gathers while the previous one is stored. */
export class SourceIntake implements BatchIntake {
  private readonly options: IntakeOptions
  private readonly waiting: StoreEntry[] = []
  private storing: readonly StoreEntry[] = []
  private readonly resized = new Condition()
  private readonly failing = new AbortController()
  private size = NOTHING
  private savedAtMs = Number.NEGATIVE_INFINITY
  private newestAt: Date | null = null
  private running: Promise<void> | null = null
  private isFinishing = false

  constructor(options: IntakeOptions) {
    this.options = options
  }

  /** Aborted when a group could not be stored: the source then returns to its stored cursor. */
  get failed(): AbortSignal {
    return this.failing.signal
  }

  /** The batch of the oldest entry that is not stored; null if all are. */
  get oldest(): number | null {
    return (this.storing[0] ?? this.waiting[0])?.batch ?? null
  }

  async put(brought: Brought, batch = 0): Promise<void> {
    this.failed.throwIfAborted()
    this.add({ ...brought, batch, size: sizeOf(brought.changes), takenMs: this.options.clock.monotonicMs() })
    if (this.isDue()) this.running ??= this.run()
    await this.resized.until(() => !isFull(this.size))
    this.failed.throwIfAborted()
  }

  /** Resolves when posts and cursor are stored, rejects when they could not be. */
  async finish(): Promise<void> {
    this.isFinishing = true
    while (this.running !== null || this.isDue()) {
      this.running ??= this.run()
      await this.running
    }
    this.failed.throwIfAborted()
  }

  /** Stores no further group. Resolves when none is being stored. */
  async abandon(reason: unknown): Promise<void> {
    this.fail(reason)
    await this.running
  }

  private add(entry: StoreEntry): void {
    const { waiting } = this
    const last = waiting.at(-1)
    // A cursor alone joins the batch before it and needs no transaction.
    if (last && (isNothing(entry.changes) || isNothing(last.changes))) waiting[waiting.length - 1] = joined(last, entry)
    else waiting.push(entry)
    this.resize(sum(this.size, entry.size))
  }

  private isDue(): boolean {
    const [first] = this.waiting
    if (first === undefined) return false
    if (this.isFinishing || !isNothing(first.changes)) return true
    return this.options.clock.monotonicMs() - this.savedAtMs >= CURSOR_EVERY_MS
  }

  private async run(): Promise<void> {
    try {
      while (this.isDue()) await this.storeNext()
    } catch (error) {
      this.fail(error)
    } finally {
      this.running = null
    }
  }

  private fail(reason: unknown): void {
    this.failing.abort(reason)
    this.waiting.length = 0
    this.resize(NOTHING)
  }

  private async storeNext(): Promise<void> {
    const { transactions, clock, partition, onStored, onMentions } = this.options
    const group = takeGroup(this.waiting, { apart: partition !== null })
    this.storing = group
    // The newest time is kept, because one old post does not mean that the source lags.
    const newestAt = group.reduce((newest, entry) => newer(newest, entry.newestAt), this.newestAt)
    this.newestAt = newestAt
    await partition?.ready(group)
    const made = await transactions.run(() => storeGroup(group, newestAt, this.options))
    this.storing = []
    this.savedAtMs = clock.monotonicMs()
    if (!this.failed.aborted) this.resize(group.reduce((left, entry) => minus(left, entry.size), this.size))
    onStored()
    if (made.length > 0) await onMentions?.(made)
  }

  private resize(size: Size): void {
    this.size = size
    this.options.onResized(size)
    this.resized.notify()
  }
}

function isFull({ posts, mentions, bytes }: Size): boolean {
  return posts >= PENDING_MAX.posts || mentions >= PENDING_MAX.mentions || bytes >= PENDING_MAX.bytes
}

function sum(a: Size, b: Size): Size {
  return { posts: a.posts + b.posts, mentions: a.mentions + b.mentions, bytes: a.bytes + b.bytes }
}

function minus(a: Size, b: Size): Size {
  return { posts: a.posts - b.posts, mentions: a.mentions - b.mentions, bytes: a.bytes - b.bytes }
}
