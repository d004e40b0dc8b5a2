import { type Clock, MINUTE_MS } from '../../kernel/clock.ts'
import type { Subject } from '../contract.ts'
import type { SecondVerdictResult } from '../ports.ts'
import { charactersOf, type Ground, QUESTION_MAX, type ShownPost } from './question.ts'
import { RoundRobinQueue } from './round-robin-queue.ts'

/**
 * Further mentions keep their first verdict. A workspace may have at most as many as it leaves free, so that no
 * workspace shuts out the others.
 */
export const WAITING_MENTIONS_MAX = 4000
export const WAIT_MAX_MS = 2 * MINUTE_MS

export interface WantedMention {
  workspaceId: Subject['workspaceId']
  key: Buffer
  post: ShownPost
  ground: Ground
  sort: string
  signal: AbortSignal
}

export interface WaitingMention extends WantedMention {
  askedAgain: boolean
  stopWaiting(): void
  resolve(looked: SecondVerdictResult): void
  reject(reason: unknown): void
}

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

  countUntil(answer: Promise<unknown>, workspaceId: string): void {
    this.change(workspaceId, 1)
    const settled = () => this.change(workspaceId, -1)
    answer.then(settled, settled)
  }

  /** Queues a mention until `next` takes it, WAIT_MAX_MS has passed or its signal is aborted. */
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

  /** Takes mentions of one workspace and context. */
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
