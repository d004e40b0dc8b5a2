import { capOf } from '../../domain/keyword/keyword.ts'
import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { centsToUnits, toCents, units } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { type KeywordRow, keywordFromRow, updateKeyword } from '../../store/keywords.ts'
import { recordRunningEvent } from '../../store/running-events.ts'
import type { Writing } from '../writing.ts'

/**
 * Adds a credit of whole cents that counts as a top-up: it lifts the limits of the welcome credit. Keywords that only
 * those limits had stopped collect again at once. Answers the new balance in cents.
 */
export async function grantCredit({ db, clock, workspaceId, billing }: Writing, cents: number): Promise<number> {
  if (!Number.isSafeInteger(cents) || cents < 1) throw new RangeError('a credit is a whole number of cents, 1 or more')
  const amount = centsToUnits(cents)
  const at = clock.now()
  return await db.transaction(async (tx) => {
    // A batch that is being stored right now may still stop a keyword by the old limit, and holds its counter until it
    // has. Counters come before the workspace, as they do when a batch is stored.
    await tx.query(sql`select from keyword_counter where workspace_id = ${workspaceId} order by keyword_id for update`)
    const [workspace] = await tx.query<{ balance_units: number; welcome_limits: boolean }>(
      sql`select balance_units, welcome_limits from workspace where id = ${workspaceId} for no key update`,
    )
    if (!workspace) throw new Error('the workspace is gone')
    const balance = units(workspace.balance_units + amount)
    await tx.query(sql`
      insert into ledger_entry (workspace_id, id, kind, amount_units, balance_units, note, created_at)
      values (${workspaceId}, ${newUuid(at)}, 'grant', ${amount}, ${balance}, 'granted by the operator', ${at})`)
    await tx.query(sql`
      update workspace set balance_units = ${balance}, last_credit_units = ${amount}, last_top_up_at = ${at}, welcome_limits = false where id = ${workspaceId}`)
    if (workspace.welcome_limits && billing === 'metered') await liftWelcomeLimits(tx, workspaceId, at)
    return toCents(balance)
  })
}

async function liftWelcomeLimits(tx: Transaction, workspaceId: Writing['workspaceId'], at: Date): Promise<void> {
  const rows = await tx.query<KeywordRow & { month: string; month_mentions: number }>(sql`
    select k.*, c.month, c.month_mentions from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
    where k.workspace_id = ${workspaceId} and k.paused_for_cap order by k.id for update of k`)
  for (const row of rows) {
    const keyword = keywordFromRow(row)
    const monthCount = row.month === dayOf(monthStart(at)) ? row.month_mentions : 0
    const cap = capOf(keyword.capOwn, false)?.mentions ?? null
    const { state, event } = stepRunning(keyword, { kind: 'welcome_lifted', cap, monthCount })
    if (!event) continue
    await updateKeyword(tx, { ...keyword, pausedForCap: state.pausedForCap }, { before: keyword, at })
    await recordRunningEvent(tx, { keyword, event, cap, monthCount, at })
  }
}
