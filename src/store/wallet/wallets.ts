import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export interface StoredWallet extends Wallet {
  workspaceId: Uuid
  lastTopUpAt: Date | null
  welcomeLimits: boolean
}

/**
 * Locks in the global order: groups, counters by workspace and id, keywords, workspaces by id, then others. Collecting,
 * scoring, muting and removing hold the counter, so until the transaction ends nobody charges these keywords or changes
 * which run.
 */
export async function lockCounters(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<void> {
  await tx.query(
    sql`select from keyword_counter where workspace_id = any(${workspaceIds}::uuid[])
        order by workspace_id, keyword_id for no key update`,
  )
}

export type LockMode = 'free ones' | 'all'

/** Per lock, because others wait for what the transaction holds. */
const LOCK_WITHIN = '1500ms'

export async function limitLockWaits(tx: Transaction): Promise<void> {
  await tx.query(sql`set local lock_timeout = ${sql.lit(LOCK_WITHIN)}`)
}

/**
 * Returns the workspaces with all counters locked: nobody charges them or changes which keywords run. Read what is
 * decided on afterwards.
 */
export async function lockWallets(tx: Transaction, workspaceIds: readonly Uuid[], mode: LockMode): Promise<Uuid[]> {
  const passing = mode === 'all' ? sql`` : sql`skip locked`
  const locked = await tx.query<{ workspace_id: Uuid; count: number }>(sql`
    select workspace_id, count(*) as count from (
      select workspace_id from keyword_counter where workspace_id = any(${workspaceIds}::uuid[])
        order by workspace_id, keyword_id for no key update ${passing}) held
    group by workspace_id`)
  const workspaces = await tx.query<{ id: Uuid }>(
    sql`select id from workspace where id = any(${workspaceIds}::uuid[]) order by id for no key update ${passing}`,
  )
  // No keyword comes to a locked workspace, but one may have come before.
  const there = await tx.query<{ workspace_id: Uuid; count: number }>(
    sql`select workspace_id, count(*) as count from keyword_counter where workspace_id = any(${workspaceIds}::uuid[])
        group by workspace_id`,
  )
  const [held, wanted] = [locked, there].map((rows) => new Map(rows.map((row) => [row.workspace_id, row.count])))
  return workspaces.map(({ id }) => id).filter((id) => held!.get(id) === wanted!.get(id))
}

export async function readWallet(reader: Reader, workspaceId: Uuid): Promise<StoredWallet> {
  const [wallet] = await readWallets(reader, [workspaceId])
  if (!wallet) throw new Error(`workspace ${workspaceId} is gone`)
  return wallet
}

interface WalletRow {
  id: Uuid
  balance_units: number
  last_credit_units: number
  last_top_up_at: Date | null
  welcome_limits: boolean
  low_told: boolean
  pending: number
  running: number
  paused: number
}

export async function readWallets(reader: Reader, workspaceIds: readonly Uuid[]): Promise<StoredWallet[]> {
  const rows = await reader.run<WalletRow>(
    'read-wallets',
    `select w.id, w.balance_units, w.last_credit_units, w.last_top_up_at, w.welcome_limits, w.low_told,
       (select coalesce(sum(u.mention_units), 0)::bigint from usage_day u
         where u.workspace_id = w.id and u.day > w.settled_through) as pending, k.running, k.paused
     from workspace w cross join lateral (
       select count(*) filter (where not muted) as running, count(*) filter (where paused_for_balance) as paused
         from keyword where workspace_id = w.id) k
     where w.id = any($1::uuid[]) order by w.id`,
    [workspaceIds],
  )
  return rows.map((row) => ({
    workspaceId: row.id,
    balance: units(row.balance_units),
    pending: units(row.pending),
    running: row.running,
    paused: row.paused,
    lastCredit: units(row.last_credit_units),
    lowTold: row.low_told,
    lastTopUpAt: row.last_top_up_at,
    welcomeLimits: row.welcome_limits,
  }))
}
