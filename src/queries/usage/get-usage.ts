import { KEYWORD_LIMITS } from '../../domain/keyword/keyword.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import { readStanding, type WalletStanding } from './standing.ts'

/** Amounts in whole cents. */
export interface Usage {
  balance: { cents: number; pendingCents: number; effectiveCents: number; currency: 'USD' }
  burn: {
    perDayCents: number
    /** See `Pace`. */
    daysLeft: number | null
  }
  keywords: { active: number; paused: number; capped: number; limit: number; dayCents: number }
  mentions: { today: number; last30d: number }
  stopped: boolean
  lowBalance: boolean
  lastTopUpAt: string | null
}

export async function getUsage(reading: QueryContext): Promise<Usage> {
  const standing = await readStanding(reading)
  return {
    balance: balanceOf(standing),
    burn: { perDayCents: standing.burnPerDayCents, daysLeft: standing.daysLeft },
    keywords: {
      ...(await countKeywords(reading)),
      limit: KEYWORD_LIMITS.perWorkspace,
      dayCents: standing.nextDayCents,
    },
    mentions: await countMatches(reading),
    stopped: standing.stopped,
    lowBalance: standing.lowBalance,
    lastTopUpAt: standing.wallet.lastTopUpAt?.toISOString() ?? null,
  }
}

function balanceOf(standing: WalletStanding): Usage['balance'] {
  return {
    cents: standing.balanceCents,
    pendingCents: standing.pendingCents,
    effectiveCents: standing.effectiveCents,
    currency: 'USD',
  }
}

/** By status as in `statusOf`. */
async function countKeywords({
  db,
  workspaceId,
}: QueryContext): Promise<Record<'active' | 'paused' | 'capped', number>> {
  const [row] = await db.query<Record<'active' | 'paused' | 'capped', number>>(sql`
    select count(*) filter (where not muted and not paused_for_cap) as active,
      count(*) filter (where muted and (paused_for_balance or paused_for_noise)) as paused,
      count(*) filter (where not muted and paused_for_cap) as capped
    from keyword where workspace_id = ${workspaceId}`)
  return row!
}

async function countMatches({ db, workspaceId, clock }: QueryContext): Promise<{ today: number; last30d: number }> {
  const [today, first] = [dayOf(clock.now()), dayOf(plus(clock.now(), -29 * DAY_MS))]
  const [row] = await db.query<{ today: number; last30d: number }>(sql`
    select coalesce(sum(matched) filter (where day = ${today}::date), 0)::bigint as today, coalesce(sum(matched),
      0)::bigint as last30d
    from usage_day where workspace_id = ${workspaceId} and day between ${first}::date and ${today}::date`)
  return row!
}
