import type { Uuid } from '../../kernel/ids.ts'

interface Behind {
  writing: number
  /** In ticks of `now`. */
  at: number
}

/** Which channels have deliveries waiting in the database, as far as this process knows. */
export class Backlog {
  private readonly channels = new Map<Uuid, Behind>()
  private now = 0

  has(channelId: Uuid): boolean {
    return this.channels.has(channelId)
  }

  writing(channelId: Uuid): void {
    this.of(channelId).writing += 1
  }

  written(channelId: Uuid, committed: boolean): void {
    const behind = this.of(channelId)
    behind.writing -= 1
    if (committed) {
      this.now += 1
      behind.at = this.now
    } else if (behind.writing === 0 && behind.at === 0) this.channels.delete(channelId)
  }

  add(channelId: Uuid): void {
    this.now += 1
    this.of(channelId).at = this.now
  }

  /** Taken before a claim, for `seenThrough`. */
  mark(): number {
    return this.now
  }

  /** A claim that began at `mark` left nothing of the matching channels. */
  seenThrough(mark: number, fits: (channelId: Uuid) => boolean): void {
    for (const [channelId, { writing, at }] of this.channels) {
      // A claim sees what was committed before it began and nothing of open transactions.
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
