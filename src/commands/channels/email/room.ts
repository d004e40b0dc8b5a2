import type { Clock } from '../../../kernel/clock.ts'

export interface RoomOptions {
  clock: Pick<Clock, 'monotonicMs' | 'alarm'>
  /** Mails in hand at once. */
  most: number
  /** How many one delivery may need. */
  each: number
  /** What was not given back by then is taken to be over. */
  keptMs: number
}

/** Room that a delivery has taken: so many mails may be in hand for it. */
export interface Share {
  mails: number
  readonly untilMs: number
}

export interface Room {
  /** Takes room for one delivery, first come, first served; null when there is none within that time. */
  take(withinMs: number): Promise<Share | null>
  /** Gives back what so many mails had. */
  give(share: Share, mails: number): void
}

/**
 * Keeps a process from having more mails in hand than its connections to the mail server can bring away soon: what
 * waits for a connection of ours is not to look as if the mail server did not answer.
 */
export function createRoom({ clock, most, each, keptMs }: RoomOptions): Room {
  const shares = new Set<Share>()
  const waiting = new Set<(share: Share) => void>()
  const isFree = () => {
    let inHand = 0
    for (const share of shares) {
      if (share.untilMs <= clock.monotonicMs()) shares.delete(share)
      else inHand += share.mails
    }
    return inHand + each <= most
  }
  const share = (): Share => {
    const taken = { mails: each, untilMs: clock.monotonicMs() + keptMs }
    shares.add(taken)
    return taken
  }
  return {
    take(withinMs) {
      if (waiting.size === 0 && isFree()) return Promise.resolve(share())
      return new Promise((resolve) => {
        const admit = (taken: Share) => {
          putOff()
          resolve(taken)
        }
        const putOff = clock.alarm(withinMs, () => {
          waiting.delete(admit)
          resolve(null)
        })
        waiting.add(admit)
      })
    },
    give(taken, mails) {
      taken.mails -= mails
      if (taken.mails <= 0) shares.delete(taken)
      for (const admit of waiting) {
        if (!isFree()) return
        waiting.delete(admit)
        admit(share())
      }
    },
  }
}
