import type { Clock } from '../../../kernel/clock.ts'

export interface RoomOptions {
  clock: Pick<Clock, 'monotonicMs' | 'alarm'>
  /** Mails in flight. */
  most: number
  /** Most mails of one delivery. */
  each: number
  /** Shares not returned by then expire. */
  keptMs: number
}

export interface Share {
  mails: number
  readonly untilMs: number
}

export interface MailRoom {
  /** In order of arrival; null after the time. */
  take(withinMs: number): Promise<Share | null>
  give(share: Share, mails: number): void
}

/**
 * A semaphore for mails in flight: a mail that waits for a connection of ours must not look as if the mail server did
 * not answer.
 */
export function createRoom({ clock, most, each, keptMs }: RoomOptions): MailRoom {
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
