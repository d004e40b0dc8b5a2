import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { toCents, type Units, units } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { readBurn, readFunds } from '../../store/workspaces.ts'
import type { Reading } from '../reading.ts'

/** Where a workspace stands, in short. Amounts are whole cents. */
export interface Usage {
  balance: { cents: number; pendingCents: number; effectiveCents: number; currency: 'USD' }
  burn: {
    perDayCents: number
    /** Whole days that the effective balance lasts at this rate; null when nothing is spent. */
    daysLeft: number | null
  }
  keywords: { active: number; paused: number; capped: number; limit: number; dayCents: number }
  mentions: { today: number; last30d: number }
  stopped: boolean
  lowBalance: boolean
  lastTopUpAt: string | null
}

/** The days over which the rate of spending is averaged. */
const BURN_DAYS = 7
/** The balance is called low at or under this part of the last credit. */
const LOW_PART = 5

export async function getUsage(reading: Reading): Promise<Usage> {
  const { db, workspaceId, clock, billing } = reading
  const at = clock.now()
  const metered = billing === 'metered'
  const funds = await readFunds(db, workspaceId)
  const spent = await readBurn(db, workspaceId, at)
  const keywords = await countKeywords(reading)
  return {
    balance: { cents: toCents(funds.balance), pendingCents: toCents(funds.pending), effectiveCents: toCents(funds.effective), currency: 'USD' },
    burn: {
      // A seventh need not be a whole number of units; it is rounded once all the same.
      perDayCents: toCents((spent / BURN_DAYS) as Units),
      daysLeft: metered && spent > 0 ? Math.max(0, Math.floor((funds.effective * BURN_DAYS) / spent)) : null,
    },
    keywords: {
      active: keywords.active,
      paused: keywords.paused,
      capped: keywords.capped,
      limit: KEYWORD_LIMITS.perWorkspace,
      dayCents: toCents(metered ? funds.nextDay : units(0)),
    },
    mentions: await countMatches(reading, at),
    stopped: metered && keywords.stopped > 0 && keywords.running === 0,
    lowBalance: metered && funds.effective * LOW_PART <= funds.lastCredit,
    lastTopUpAt: funds.lastTopUpAt?.toISOString() ?? null,
  }
}

/** By status, as `statusOf` tells them; `stopped` by the wallet, and `running` on any day that is charged. */
async function countKeywords({ db, workspaceId }: Reading): Promise<Record<'active' | 'paused' | 'capped' | 'stopped' | 'running', number>> {
  const [row] = await db.query<Record<'active' | 'paused' | 'capped' | 'stopped' | 'running', number>>(sql`
    select count(*) filter (where not muted and not paused_for_cap) as active,
      count(*) filter (where muted and (paused_for_balance or paused_for_noise)) as paused,
      count(*) filter (where not muted and paused_for_cap) as capped,
      count(*) filter (where muted and paused_for_balance) as stopped,
      count(*) filter (where not muted) as running
    from keyword where workspace_id = ${workspaceId}`)
  return row!
}

async function countMatches({ db, workspaceId }: Reading, at: Date): Promise<{ today: number; last30d: number }> {
  const [row] = await db.query<{ today: number; last30d: number }>(sql`
    select coalesce(sum(matched) filter (where day = ${dayOf(at)}::date), 0)::bigint as today, coalesce(sum(matched), 0)::bigint as last30d
    from usage_day where workspace_id = ${workspaceId} and day between ${dayOf(plus(at, -29 * DAY_MS))}::date and ${dayOf(at)}::date`)
  return row!
}
