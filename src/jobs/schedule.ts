import { turnMonth } from '../commands/keywords/turn-month.ts'
import type { Services } from '../commands/writing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../kernel/clock.ts'
import { pruneDeliveries } from '../store/deliveries.ts'
import { forgetRequestAnswers } from '../store/request-answers.ts'

/** Something that is done again and again. Doing it twice, late, or by two processes at once does no harm. */
export interface Job {
  name: string
  everyMs: number
  run(services: Services): Promise<void>
}

/** The log of deliveries goes back this far. */
const DELIVERIES_KEPT_MS = 30 * DAY_MS

/** Every recurring job of the service. */
export const SCHEDULE: readonly Job[] = [
  { name: 'turn-month', everyMs: MINUTE_MS, run: async (services) => void (await turnMonth(services)) },
  { name: 'forget-request-answers', everyMs: HOUR_MS, run: ({ db, clock }) => db.transaction((tx) => forgetRequestAnswers(tx, clock.now())) },
  { name: 'prune-deliveries', everyMs: HOUR_MS, run: ({ db, clock }) => pruneDeliveries(db, plus(clock.now(), -DELIVERIES_KEPT_MS)) },
]
