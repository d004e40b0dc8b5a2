import type { Uuid } from '../../kernel/ids.ts'

/** Which channels have deliveries waiting in the database, as far as this process knows. */
export interface Backlog {
  has(channelId: Uuid): boolean
  /** Something of this channel is being written down that waits there; it is visible once `written`. */
  writing(channelId: Uuid): void
  /** What was being written has been, or has come to nothing. */
  written(channelId: Uuid, committed: boolean): void
  /** Something of this channel waits there. */
  add(channelId: Uuid): void
  /** To be taken before a look at the database. */
  mark(): number
  /** A look that began at `mark` found nothing, or nothing more, of the channels that fit. */
  seenThrough(mark: number, fits: (channelId: Uuid) => boolean): void
}

interface Behind {
  /** Transactions that have not ended. */
  writing: number
  /** When the last of them was known to have ended. */
  at: number
}

export function createBacklog(): Backlog {
  const channels = new Map<Uuid, Behind>()
  let now = 0
  const of = (channelId: Uuid): Behind => {
    const known = channels.get(channelId)
    if (known) return known
    const behind = { writing: 0, at: 0 }
    channels.set(channelId, behind)
    return behind
  }
  return {
    has: (channelId) => channels.has(channelId),
    writing(channelId) {
      of(channelId).writing += 1
    },
    written(channelId, committed) {
      const behind = of(channelId)
      behind.writing -= 1
      if (committed) {
        now += 1
        behind.at = now
      } else if (behind.writing === 0 && behind.at === 0) channels.delete(channelId)
    },
    add(channelId) {
      now += 1
      of(channelId).at = now
    },
    mark: () => now,
    seenThrough(mark, fits) {
      for (const [channelId, { writing, at }] of channels) {
        // A look sees what was written before it began, and nothing of what is being written.
        if (writing === 0 && at <= mark && fits(channelId)) channels.delete(channelId)
      }
    },
  }
}
