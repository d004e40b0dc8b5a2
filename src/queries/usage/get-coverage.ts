import { MENTION } from '../../domain/wallet/prices.ts'
import { effectiveOf } from '../../domain/wallet/wallet.ts'
import { dayOf, monthStart, nextMonthStart } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { readWallet } from '../../store/wallet/wallets.ts'
import type { QueryContext } from '../reading.ts'

export interface Coverage {
  mentionsThisMonth: number
  /** Mentions that the effective balance still pays, none below 0; null when nothing is charged. */
  mentionsCovered: number | null
  keywords: number
  monthEndsAt: string
}

/** Reads counters only. */
export async function getCoverage({ db, workspaceId, clock, billing }: QueryContext): Promise<Coverage> {
  const at = clock.now()
  const [row] = await db.query<{ matched: number; keywords: number }>(sql`
    select (select coalesce(sum(matched), 0)::bigint from usage_day
        where workspace_id = ${workspaceId} and day >= ${dayOf(monthStart(at))}::date) as matched,
      (select count(*) from keyword where workspace_id = ${workspaceId}) as keywords`)
  const wallet = billing === 'metered' ? await readWallet(db, workspaceId) : null
  return {
    mentionsThisMonth: row!.matched,
    mentionsCovered: wallet && Math.max(0, Math.floor(effectiveOf(wallet) / MENTION)),
    keywords: row!.keywords,
    monthEndsAt: nextMonthStart(at).toISOString(),
  }
}
