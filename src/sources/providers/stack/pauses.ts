import { type Clock, SECOND_MS } from '../../../kernel/clock.ts'
import { QuotaReached } from '../../contract.ts'

const DAY_SECONDS = 86_400

export type Method = 'sites' | 'posts' | 'comments' | 'questions' | 'answers' | 'search/excerpts' | 'filters/create'

interface Pause {
  untilMs: number
  daily: boolean
}

/** Pauses that the platform asked for, of a method or of all, whatever the site. In memory, one for each process. */
export class StackPauses {
  private readonly clock: Pick<Clock, 'now'>
  private readonly pauses = new Map<Method | 'all', Pause>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock
  }

  now(): Date {
    return this.clock.now()
  }

  /** From now on, so to be called when the reply is there. A shorter pause does not end a longer one. */
  begin(what: Method | 'all', seconds: number): void {
    this.set(what, { untilMs: this.clock.now().getTime() + seconds * SECOND_MS, daily: false })
  }

  /** The quota of the day is used up; it resets at midnight UTC. */
  beginForToday(): void {
    const nowSeconds = Math.floor(this.clock.now().getTime() / SECOND_MS)
    const midnightSeconds = nowSeconds - (nowSeconds % DAY_SECONDS) + DAY_SECONDS
    this.set('all', { untilMs: midnightSeconds * SECOND_MS, daily: true })
  }

  /** Throws QuotaReached while the method is paused. */
  refuse(method: Method): void {
    const [own, all] = [this.pauses.get(method), this.pauses.get('all')]
    const pause = (all?.untilMs ?? 0) >= (own?.untilMs ?? 0) ? all : own
    if (pause === undefined) return
    const retryAfterSeconds = Math.ceil((pause.untilMs - this.clock.now().getTime()) / SECOND_MS)
    if (retryAfterSeconds > 0)
      throw new QuotaReached(
        `the platform asked to be left alone with ${method}`,
        Math.min(DAY_SECONDS, retryAfterSeconds),
        pause.daily,
      )
  }

  private set(what: Method | 'all', pause: Pause): void {
    if (pause.untilMs > (this.pauses.get(what)?.untilMs ?? 0)) this.pauses.set(what, pause)
  }
}
