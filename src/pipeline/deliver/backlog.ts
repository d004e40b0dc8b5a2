import type { Uuid } from '../../kernel/ids.ts'

interface Behind {
  /** Transactions that have not ended. */
  writing: number
  /** When the last of them was known to have ended. */
  at: number
}

/** Which channels have deliveries waiting in the database, as far as this process knows. */
export class Backlog {
  private readonly channels = new Map<Uuid, Behind>()
  private now = 0

  has(channelId: Uuid): boolean {
    return this.channels.has(channelId)
  }

  /** Something of this channel is being written down that waits there; it is visible once `written`. */
  writing(channelId: Uuid): void {
    this.of(channelId).writing += 1
  }

  /** What was being written has been, or has come to nothing. */
  written(channelId: Uuid, committed: boolean): void {
    const behind = this.of(channelId)
    behind.writing -= 1
    if (committed) {
      this.now += 1
      behind.at = this.now
    } else if (behind.writing === 0 && behind.at === 0) this.channels.delete(channelId)
  }

  /** Something of this channel waits there. */
  add(channelId: Uuid): void {
    this.now += 1
    this.of(channelId).at = this.now
  }

  /** To be taken before a look at the database. */
  mark(): number {
    return this.now
  }

  /** A look that began at `mark` found nothing, or nothing more, of the channels that fit. */
  seenThrough(mark: number, fits: (channelId: Uuid) => boolean): void {
    for (const [channelId, { writing, at }] of this.channels) {
      // A look sees what was written before it began, and nothing of what is being written.
      if (writing === 0 && at <= mark && fits(channelId)) this.channels.delete(channelId)
    }
  }

  private of(channelId: Uuid): Behind {
    const known = this.channels.get(channelId)
    if (known) return known
    const behind = { writing: 0, at: 0 }
    this.channels.set(channelId, behind)
    return behind
  }
}
