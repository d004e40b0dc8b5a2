import { type Clock, MINUTE_MS } from '../../kernel/clock.ts'
import type { Subject } from '../contract.ts'
import type { SecondVerdictResult } from '../ports.ts'
import { charactersOf, type Ground, QUESTION_MAX, type ShownPost } from './question.ts'
import { RoundRobinQueue } from './round-robin-queue.ts'

/**
 * Mentions that wait at most; further ones keep their first verdict. A workspace may have as many as it leaves free, so
 * that the rush of one does not shut out the others.
 */
export const WAITING_MENTIONS_MAX = 4000
/** No mention waits longer for its call. */
export const WAIT_MAX_MS = 2 * MINUTE_MS

/** A mention to be asked about. */
export interface WantedMention {
  workspaceId: Subject['workspaceId']
  key: Buffer
  post: ShownPost
  ground: Ground
  sort: string
  signal: AbortSignal
}

/** A mention that waits for its call or its answer. */
export interface WaitingMention extends WantedMention {
  /** True once a call has returned without an answer for it. */
  askedAgain: boolean
  stopWaiting(): void
  resolve(looked: SecondVerdictResult): void
  reject(reason: unknown): void
}

/** The mentions that wait, and how many of each workspace wait for a call or an answer. */
export class WaitingMentions {
  private readonly clock: Clock
  private readonly queue = new RoundRobinQueue<WaitingMention>()
  private readonly countOf = new Map<string, number>()
  private total = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  get isEmpty(): boolean {
    return this.queue.size === 0
  }

  hasRoom(workspaceId: string): boolean {
    return (this.countOf.get(workspaceId) ?? 0) < WAITING_MENTIONS_MAX - this.total
  }

  /** Counts a mention until `answer` is settled. */
  countUntil(answer: Promise<unknown>, workspaceId: string): void {
    this.change(workspaceId, 1)
    const settled = () => this.change(workspaceId, -1)
    answer.then(settled, settled)
  }

  /** Queues a mention until `next` takes it, its time is over or its caller has gone. */
  add(mention: WaitingMention): void {
    const leave = () => {
      mention.stopWaiting()
      this.queue.remove(mention.workspaceId, mention.sort, mention)
    }
    const giveUp = () => {
      leave()
      mention.reject(mention.signal.reason)
    }
    const cancel = this.clock.alarm(WAIT_MAX_MS, () => {
      leave()
      mention.resolve({ fallback: 'busy' })
    })
    mention.signal.addEventListener('abort', giveUp, { once: true })
    mention.stopWaiting = () => {
      cancel()
      mention.signal.removeEventListener('abort', giveUp)
    }
    this.queue.add(mention.workspaceId, mention.sort, mention)
  }

  /** Takes the mentions of the next call: of one workspace and context, as many as one question holds. */
  next(): WaitingMention[] {
    const mentions = this.queue.next(fits)
    for (const mention of mentions) mention.stopWaiting()
    return mentions
  }

  private change(workspaceId: string, by: 1 | -1): void {
    this.total += by
    const left = (this.countOf.get(workspaceId) ?? 0) + by
    if (left === 0) this.countOf.delete(workspaceId)
    else this.countOf.set(workspaceId, left)
  }
}

function fits({ post }: WaitingMention, taken: readonly WaitingMention[]): boolean {
  const characters = taken.reduce((sum, other) => sum + charactersOf(other.post), charactersOf(post))
  return taken.length < QUESTION_MAX.mentions && characters <= QUESTION_MAX.characters
}
