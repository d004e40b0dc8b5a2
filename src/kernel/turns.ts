import type { Clock } from './clock.ts'

export interface TurnLimits {
  /** How much runs at once for all keys together, and for one key. */
  inAll: number
  perKey: number
  /** How many visits of one key may wait for their first turn. */
  waiting: number
  /** How long one visit may wait, all its turns together. */
  waitMs: number
}

/** One key has more waiting than it may, or one visit waited for too long. */
export class NoTurn extends Error {
  readonly reason: 'too many wait' | 'waited too long'

  constructor(reason: NoTurn['reason']) {
    super(`no turn: ${reason}`)
    this.name = 'NoTurn'
    this.reason = reason
  }
}

/** The signal of a visit was aborted before it got its turn. */
export class TurnNotWanted extends Error {
  constructor() {
    super('whoever waited for a turn has gone')
    this.name = 'TurnNotWanted'
  }
}

/** Something that takes one turn after another, or several at once, for one key. */
export interface Visit {
  /** Runs `work` when its turn comes. Fails with NoTurn or TurnNotWanted instead of waiting on. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface VisitOptions {
  signal?: AbortSignal
  /** True for what waits as long as it takes, and is bounded elsewhere. */
  patient?: boolean
}

interface Waiting {
  visit: object
  begin(): void
}

/** The work of one key. */
interface Line {
  running: number
  waiting: Waiting[]
}

/**
 * A semaphore whose keys take turns: each has a bound of its own, and when all places are taken the next free one goes to the key
 * whose last turn, or whose coming, is longest ago, however many of another key wait. A turn is held for one piece of work only, so that a visit which takes
 * several cannot wait for itself.
 */
export class Turns {
  /** In the order in which they are served. A key has a line only while something of it runs or waits. */
  private readonly lines = new Map<string, Line>()
  private readonly clock: Clock
  private readonly limits: TurnLimits
  private running = 0

  constructor(clock: Clock, limits: TurnLimits) {
    this.clock = clock
    this.limits = limits
  }

  visit(key: string, { signal, patient = false }: VisitOptions = {}): Visit {
    const visit = { begun: false, patient, leftMs: this.limits.waitMs }
    return {
      take: async (work) => {
        await this.enter(key, visit, signal)
        visit.begun = true
        try {
          return await work()
        } finally {
          this.leave(key)
        }
      },
    }
  }

  private async enter(key: string, visit: { begun: boolean; patient: boolean; leftMs: number }, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw new TurnNotWanted()
    const line = this.lines.get(key) ?? { running: 0, waiting: [] }
    const isFree = line.waiting.length === 0 && line.running < this.limits.perKey && this.running < this.limits.inAll
    // What has had its first turn is not sent away halfway: only time ends its wait.
    if (!isFree && !visit.begun && !visit.patient && this.visitsWaiting(line, visit) >= this.limits.waiting) throw new NoTurn('too many wait')
    this.lines.set(key, line)
    if (isFree) return this.start(key, line)
    const beganMs = this.clock.monotonicMs()
    await this.wait(key, line, visit, signal)
    visit.leftMs -= this.clock.monotonicMs() - beganMs
  }

  /** Visits that wait for anything, apart from this one. */
  private visitsWaiting(line: Line, visit: object): number {
    return new Set(line.waiting.flatMap((one) => (one.visit === visit ? [] : [one.visit]))).size
  }

  private wait(key: string, line: Line, visit: { patient: boolean; leftMs: number }, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error) => {
        end()
        line.waiting.splice(line.waiting.indexOf(waiting), 1)
        this.forgetEmpty(key)
        reject(error)
      }
      const leave = () => giveUp(new TurnNotWanted())
      const putOff = visit.patient ? () => undefined : this.clock.alarm(Math.max(0, visit.leftMs), () => giveUp(new NoTurn('waited too long')))
      const end = () => {
        putOff()
        signal?.removeEventListener('abort', leave)
      }
      const waiting = {
        visit,
        begin: () => {
          end()
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      line.waiting.push(waiting)
    })
  }

  private start(key: string, line: Line): void {
    line.running += 1
    this.running += 1
    // Behind all others: the next free place is somebody else's.
    this.lines.delete(key)
    this.lines.set(key, line)
  }

  private leave(key: string): void {
    this.lines.get(key)!.running -= 1
    this.running -= 1
    this.beginNext()
    this.forgetEmpty(key)
  }

  private beginNext(): void {
    if (this.running >= this.limits.inAll) return
    for (const [key, line] of this.lines) {
      if (line.waiting.length === 0 || line.running >= this.limits.perKey) continue
      const next = line.waiting.shift()!
      this.start(key, line)
      next.begin()
      return
    }
  }

  private forgetEmpty(key: string): void {
    const line = this.lines.get(key)
    if (line?.running === 0 && line.waiting.length === 0) this.lines.delete(key)
  }
}
