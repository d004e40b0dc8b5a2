import { capOf } from '../../domain/keyword/keyword.ts'
import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { type KeywordRow, keywordFromRow, updateKeyword } from '../../store/keywords.ts'
import { recordRunningEvent } from '../../store/running-events.ts'
import type { Services } from '../writing.ts'

const PORTION = 200

/** Lets keywords that reached the limit of an earlier month collect again; answers how many. */
export async function turnMonth({ db, clock, billing }: Services): Promise<number> {
  const at = clock.now()
  let resumed = 0
  for (;;) {
    const found = await db.transaction((tx) => turnPortion(tx, at, billing === 'metered'))
    resumed += found
    if (found < PORTION) return resumed
  }
}

async function turnPortion(tx: Transaction, at: Date, metered: boolean): Promise<number> {
  const month = dayOf(monthStart(at))
  const rows = await tx.query<KeywordRow & { welcome_limits: boolean }>(sql`
    select k.*, w.welcome_limits from keyword k
    join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id join workspace w on w.id = k.workspace_id
    where k.paused_for_cap and c.month < ${month}::date order by k.workspace_id, k.id limit ${PORTION} for update of c, k skip locked`)
  for (const row of rows) {
    const keyword = keywordFromRow(row)
    const cap = capOf(keyword.capOwn, metered && row.welcome_limits)?.mentions ?? null
    const { state, event } = stepRunning(keyword, { kind: 'month_turned', cap, monthCount: 0 })
    await updateKeyword(tx, { ...keyword, pausedForCap: state.pausedForCap }, { before: keyword, at })
    if (event) await recordRunningEvent(tx, { keyword, event, cap, monthCount: 0, at })
  }
  return rows.length
}
