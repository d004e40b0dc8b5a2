import { EXIT, exitCodeFor } from '../../cli/index.ts'
import { askedWaitMs } from '../../kernel/asked-wait.ts'
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import { StartError } from '../../kernel/start-error.ts'

import { type ListenOptions, type LogFollowing, reasonOf, stop, waitAfter } from './following.ts'

/** Limit for one reply of the service. */
const SERVICE_LIMIT_MS = 30 * SECOND_MS

export interface ServiceAnswer<Body> {
  /** Null for 404. */
  body: Body | null
  /** By the service's clock. */
  at: Date
}

type TriedAgain = { waitMs: number; reason: string }

/** Waits while the service is unavailable. */
export class ServiceClient {
  private readonly base: string
  private readonly key: string
  private readonly following: LogFollowing

  constructor({ url, key }: ListenOptions, following: LogFollowing) {
    if (key === undefined || key === '')
      stop('An API key is required: use --key ref_... or set EARSHOT_API_KEY. Read scope is enough.', EXIT.notSignedIn)
    this.base = url
    this.key = key
    this.following = following
  }

  /** Null only after an interrupt. */
  async get<Body>(path: string): Promise<ServiceAnswer<Body> | null> {
    const { clock, say, signal } = this.following
    for (let tried = 1; !signal.aborted; tried += 1) {
      const answer = await this.tryOnce<Body>(path, tried)
      if ('body' in answer) {
        if (tried > 1) say(`${this.base} answers again`)
        return answer
      }
      if (signal.aborted) return null
      if (tried === 1) say(`${this.base} does not respond (${answer.reason}); retrying`)
      await clock.wait(answer.waitMs, signal)
    }
    return null
  }

  /** The reply, or the wait in milliseconds and its reason. */
  private async tryOnce<Body>(path: string, tried: number): Promise<ServiceAnswer<Body> | TriedAgain> {
    try {
      const { reply, text } = await this.request(path)
      const { status, headers } = reply
      const at = timeIn(headers.get('date')) ?? this.following.clock.now()
      if (status === 200) return { body: this.jsonOf<Body>(text), at }
      if (status === 404) return { body: null, at }
      const asked = Math.min(askedWaitMs(headers.get('retry-after'), at) ?? 0, HOUR_MS)
      if (status === 429 || status === 408 || status >= 500)
        return { waitMs: Math.max(asked, waitAfter(tried)), reason: `status ${status}` }
      stop(`${this.base} answered ${status}: ${messageOf(text)}`, exitCodeFor(status))
    } catch (error) {
      if (error instanceof StartError) throw error
      return { waitMs: waitAfter(tried), reason: reasonOf(error) }
    }
  }

  private jsonOf<Body>(text: string): Body {
    try {
      return JSON.parse(text) as Body
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return stop(`${this.base} answered with something else than JSON. Is it the address of an Earshot?`)
    }
  }

  private request(path: string): Promise<{ reply: Response; text: string }> {
    const { signal, ...following } = this.following
    return underAny([signal, AbortSignal.timeout(SERVICE_LIMIT_MS)], async (ending) => {
      const reply = await following.fetch(`${this.base}${path}`, {
        headers: { authorization: `Bearer ${this.key}` },
        redirect: 'manual',
        signal: ending,
      })
      return { reply, text: await reply.text() }
    })
  }
}

function timeIn(header: string | null): Date | null {
  const at = new Date(header ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { error: { message: string } }).error.message)
  } catch {
    return 'is this an Earshot?'
  }
}
