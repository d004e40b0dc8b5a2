import type { Channel, SendResult } from '../../src/channels/contract.ts'
import { createWebhookSetup } from '../../src/channels/webhook/config.ts'
import type { Outgoing } from '../../src/domain/delivery/envelope.ts'
import type { Clock } from '../../src/kernel/clock.ts'

/** How a receiver behaves. */
export type Mood = 'accepts' | 'fails' | 'asks for patience' | 'refuses' | 'hangs'

/** A request as the receiver saw it, and what it made of it. */
export interface Request {
  worker: number
  id: string
  kind: Outgoing['kind']
  address: string
  begunAt: Date
  /** Null while the receiver has not answered, and for ever where the sender died before. */
  result: { outcome: SendResult['outcome']; at: Date; retryAfterSeconds: number | null } | null
}

export interface Receivers {
  /** What was requested since this was asked before, in its order. */
  takeBegun(): Request[]
  moodOf(address: string): Mood
  change(address: string, mood: Mood): void
  /** The kind of channel through which one process sends, for as long as it lives. */
  channelOf(worker: number, isAlive: () => boolean): Channel
}

const PATIENCE_SECONDS = 90
const LIMIT_MS = 10_000

/** Receivers by their addresses, without sockets. Who is asked answers at once, but for those that hang. */
export function createReceivers(clock: Clock): Receivers {
  let begun: Request[] = []
  const moods = new Map<string, Mood>()
  const moodOf = (address: string) => moods.get(address) ?? 'accepts'
  return {
    takeBegun() {
      const taken = begun
      begun = []
      return taken
    },
    moodOf,
    change: (address, mood) => void moods.set(address, mood),
    channelOf(worker, isAlive) {
      const channel: Channel<never, never, { url: string }, { outgoing: Outgoing; url: string }> = {
        kind: 'webhook',
        setup: createWebhookSetup({ check: () => null }) as never,
        sender: {
          readConfig: (stored) => ({ url: (stored as { url: string }).url }),
          render: (outgoing, { url }) => ({ outgoing, url }),
          shown: ({ outgoing }) => ({ headers: {}, body: JSON.stringify({ id: outgoing.id }) }),
          async send({ outgoing, url }) {
            const request: Request = {
              worker,
              id: outgoing.id,
              kind: outgoing.kind,
              address: url,
              begunAt: clock.now(),
              result: null,
            }
            begun.push(request)
            const mood = moodOf(url)
            if (mood === 'hangs') await clock.wait(LIMIT_MS)
            const result = resultOf(mood)
            // The answer to somebody who died reaches nobody; what the receiver accepted it has all the same.
            if (isAlive() || result.outcome === 'delivered')
              request.result = {
                outcome: result.outcome,
                at: clock.now(),
                retryAfterSeconds: mood === 'asks for patience' ? PATIENCE_SECONDS : null,
              }
            return result
          },
        },
      }
      return channel as unknown as Channel
    },
  }
}

function resultOf(mood: Mood): SendResult {
  const rest = { durationMs: 0, replyExcerpt: '' }
  switch (mood) {
    case 'accepts':
      return { outcome: 'delivered', status: 200, ...rest }
    case 'fails':
      return { outcome: 'temporary', reason: 'status 500', retryAfterSeconds: null, status: 500, ...rest }
    case 'asks for patience':
      return { outcome: 'temporary', reason: 'status 429', retryAfterSeconds: PATIENCE_SECONDS, status: 429, ...rest }
    case 'refuses':
      return { outcome: 'permanent', reason: 'status 410', status: 410, ...rest }
    case 'hangs':
      return {
        outcome: 'temporary',
        reason: 'no reply within 10 s',
        retryAfterSeconds: null,
        status: null,
        ...rest,
        replyExcerpt: null,
      }
  }
}
