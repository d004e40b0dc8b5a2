import type { Clock } from '../clock.ts'

export interface PermitLimits {
  /** Permits. */
  inAll: number
  perKey: number
  /**
   * Milliseconds for which a key may hold more than one permit. A key that has used them up gets one permit at a time
   * until the burst has leaked away.
   */
  burstMs: number
  /** Requests of one key that may wait for a first permit. */
  waiting: number
  /** For one request, all its permits together. */
  waitMs: number
}

export class PermitRefused extends Error {
  readonly reason: 'too many wait' | 'waited too long'

  constructor(reason: PermitRefused['reason']) {
    super(`no permit: ${reason}`)
    this.name = 'PermitRefused'
    this.reason = reason
  }
}

/** The request was aborted while waiting. */
export class PermitNotWanted extends Error {
  constructor() {
    super('the request was aborted while it waited for a permit')
    this.name = 'PermitNotWanted'
  }
}

/** A request may take several permits, one after the other or at once. */
export interface PermittedRequest {
  /** Fails with PermitRefused or PermitNotWanted. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface PermittedRequestOptions {
  signal?: AbortSignal
  /** Waits without limit; bounded elsewhere. */
  patient?: boolean
}

interface RequestState {
  hadPermit: boolean
  patient: boolean
  leftMs: number
}

interface Waiter {
  request: RequestState
  begin(): void
}

interface KeyState {
  running: number
  waiters: Waiter[]
}

/** A leaky bucket of time with more than one permit, as of a monotonic instant. */
interface Burst {
  usedMs: number
  atMs: number
}

/**
 * Fair between keys: a free permit goes to the key whose last permit or arrival is longest ago. A permit covers one
 * piece of work, so a request that takes several cannot deadlock itself.
 */
export class FairSemaphore {
  /** In the order of service; only keys with running or waiting work. */
  private readonly keys = new Map<string, KeyState>()
  /** Bursts that have not leaked away, the last changed at the end. */
  private readonly bursts = new Map<string, Burst>()
  private readonly clock: Clock
  private readonly limits: PermitLimits
  private running = 0

  constructor(clock: Clock, limits: PermitLimits) {
    this.clock = clock
    this.limits = limits
  }

  request(key: string, { signal, patient = false }: PermittedRequestOptions = {}): PermittedRequest {
    const request: RequestState = { hadPermit: false, patient, leftMs: this.limits.waitMs }
    return {
      run: async (work) => {
        await this.acquire(key, request, signal)
        request.hadPermit = true
        const beganMs = this.clock.monotonicMs()
        try {
          return await work()
        } finally {
          this.countHeld(key, this.clock.monotonicMs() - beganMs)
          this.release(key)
        }
      },
    }
  }

  private async acquire(key: string, request: RequestState, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw new PermitNotWanted()
    const state = this.keys.get(key) ?? { running: 0, waiters: [] }
    const { inAll, waiting } = this.limits
    const isFree = state.waiters.length === 0 && state.running < this.permitsOf(key) && this.running < inAll
    // A request that had a permit is refused only by time.
    const isBounded = !request.hadPermit && !request.patient
    if (!isFree && isBounded && requestsWaiting(state, request) >= waiting) throw new PermitRefused('too many wait')
    this.keys.set(key, state)
    if (isFree) return this.start(key, state)
    const beganMs = this.clock.monotonicMs()
    await this.wait(key, state, request, signal)
    request.leftMs -= this.clock.monotonicMs() - beganMs
  }

  private wait(key: string, state: KeyState, request: RequestState, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error) => {
        end()
        state.waiters.splice(state.waiters.indexOf(waiter), 1)
        this.forgetIdle(key)
        reject(error)
      }
      const abort = () => giveUp(new PermitNotWanted())
      const stopAlarm = request.patient
        ? () => undefined
        : this.clock.alarm(Math.max(0, request.leftMs), () => giveUp(new PermitRefused('waited too long')))
      const end = () => {
        stopAlarm()
        signal?.removeEventListener('abort', abort)
      }
      const begin = () => {
        end()
        resolve()
      }
      const waiter = { request, begin }
      signal?.addEventListener('abort', abort, { once: true })
      state.waiters.push(waiter)
    })
  }

  private start(key: string, state: KeyState): void {
    state.running += 1
    this.running += 1
    // Moves the key behind all others.
    this.keys.delete(key)
    this.keys.set(key, state)
  }

  private release(key: string): void {
    this.keys.get(key)!.running -= 1
    this.running -= 1
    let next = this.nextKey()
    while (next !== null) {
      const state = this.keys.get(next)!
      const waiter = state.waiters.shift()!
      this.start(next, state)
      waiter.begin()
      next = this.nextKey()
    }
    this.forgetIdle(key)
  }

  private nextKey(): string | null {
    if (this.running >= this.limits.inAll) return null
    for (const [key, { running, waiters }] of this.keys)
      if (waiters.length > 0 && running < this.permitsOf(key)) return key
    return null
  }

  private permitsOf(key: string): number {
    const burst = this.bursts.get(key)
    const isUsedUp = burst !== undefined && leakedMs(burst, this.clock.monotonicMs()) > this.limits.burstMs
    return isUsedUp ? 1 : this.limits.perKey
  }

  private countHeld(key: string, heldMs: number): void {
    const nowMs = this.clock.monotonicMs()
    const usedMs = heldMs + leakedMs(this.bursts.get(key) ?? { usedMs: 0, atMs: nowMs }, nowMs)
    this.bursts.delete(key)
    this.bursts.set(key, { usedMs, atMs: nowMs })
    for (const [oldest, burst] of this.bursts) {
      if (leakedMs(burst, nowMs) > 0) break
      this.bursts.delete(oldest)
    }
  }

  private forgetIdle(key: string): void {
    const state = this.keys.get(key)
    if (state?.running === 0 && state.waiters.length === 0) this.keys.delete(key)
  }
}

function leakedMs({ usedMs, atMs }: Burst, nowMs: number): number {
  return Math.max(0, usedMs - (nowMs - atMs))
}

function requestsWaiting({ waiters }: KeyState, own: RequestState): number {
  return new Set(waiters.flatMap(({ request }) => (request === own ? [] : [request]))).size
}
