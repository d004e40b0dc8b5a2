import { monthlyLimit } from '../../domain/keyword/keyword.ts'
import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { inBatches } from '../../kernel/batches.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Transaction } from '../../store/database.ts'
import { recordRunningEvents } from '../../store/keyword/running-events.ts'
import { lockCappedBefore, storeRunning } from '../../store/keyword/running-states.ts'
import type { Services } from '../writing.ts'

const BATCH = 200

/** Resumes keywords capped in an earlier month; returns how many. */
export async function startMonth({ db, clock, billing }: Services): Promise<number> {
  const at = clock.now()
  return inBatches(BATCH, () => db.transaction((tx) => turnBatch(tx, at, billing === 'metered')))
}

async function turnBatch(tx: Transaction, at: Date, metered: boolean): Promise<number> {
  const capped = await lockCappedBefore(tx, dayOf(monthStart(at)), BATCH)
  const moves = capped.map((keyword) => {
    const cap = monthlyLimit(keyword, metered)
    return {
      keyword,
      cap,
      monthCount: 0,
      at,
      ...stepRunning(keyword.state, { kind: 'month_turned', cap, monthCount: 0 }),
    }
  })
  await storeRunning(tx, moves, at)
  await recordRunningEvents(
    tx,
    moves.flatMap(({ event, ...change }) => (event ? [{ ...change, event }] : [])),
  )
  return capped.length
}
