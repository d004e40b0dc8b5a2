import { dayCost, effectiveOf } from '../../domain/wallet/wallet.ts'
import type { LimitedThing } from '../../domain/workspace/limits.ts'
import { DAY_MS, dayOf, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Units, units } from '../../kernel/money.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { readWallet } from '../wallet/wallets.ts'

/** Serializes changes of limits and funds. */
export async function lockWorkspace(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`select id from workspace where id = ${workspaceId} for no key update`)
}

const TABLES: Readonly<Record<LimitedThing, string>> = {
  groups: 'keyword_group',
  views: 'saved_view',
  segments: 'segment',
  channels: 'channel',
  alerts: 'alert',
  namedSources: 'workspace_place',
}

export async function countThings(reader: Reader, workspaceId: Uuid, thing: LimitedThing): Promise<number> {
  const [row] = await reader.query<{ count: number }>(
    sql`select count(*) from ${sql.raw(TABLES[thing])} where workspace_id = ${workspaceId}`,
  )
  return row!.count
}

export interface Funds {
  balance: Units
  /** Scored, but not yet in the ledger. */
  pending: Units
  /** `balance` less `pending`, which decides about pausing. */
  effective: Units
  /** A day of all running keywords. */
  nextDay: Units
  /** The balance is low below a fifth of this. */
  lastCredit: Units
  lastTopUpAt: Date | null
  /** True until the first top-up. */
  welcomeLimits: boolean
}

export async function readFunds(reader: Reader, workspaceId: Uuid): Promise<Funds> {
  const wallet = await readWallet(reader, workspaceId)
  const { balance, pending, lastCredit, lastTopUpAt, welcomeLimits } = wallet
  return {
    balance,
    pending,
    effective: effectiveOf(wallet),
    nextDay: dayCost(wallet.running),
    lastCredit,
    lastTopUpAt,
    welcomeLimits,
  }
}

/** Of the last seven days, today included. */
export async function readBurn(reader: Reader, workspaceId: Uuid, at: Date): Promise<Units> {
  const since = dayOf(plus(at, -6 * DAY_MS))
  const [row] = await reader.query<{ spent: number }>(sql`
    select (coalesce((select sum(mention_units) from usage_day where workspace_id = ${workspaceId}
      and day >= ${since}::date), 0)
      + coalesce((select sum(units) from keyword_day where workspace_id = ${workspaceId} and day >= ${since}::date),
        0))::bigint as spent`)
  return units(row?.spent ?? 0)
}
