import { planCheck } from '../../domain/wallet/daily-run.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../../store/database.ts'
import { thawed } from '../../store/frozen/frozen.ts'
import { type LockMode, lockWallets, readWallets } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { notifyLow } from './notify-low.ts'
import { passOverWallets, type SweptWallets, without } from './pass-over-wallets.ts'
import { resumeAfterCredit } from './resume-after-credit.ts'
import { stopKeywords } from './stop-keywords.ts'

const BATCH = 500

/**
 * Checks wallets charged since the last check: stops keywords on an empty wallet, warns of a low one. Several processes
 * may run at once. An unmetered installation resumes keywords instead.
 */
export async function watchWallets(services: Services): Promise<number> {
  const { db, clock, billing } = services
  if (billing === 'unmetered') return await resumeAfterCredit(services)
  return await passOverWallets(db, {
    name: 'the look at wallets',
    batchSize: BATCH,
    find: (after) => findSpent(db, after),
    work: (tx, ids, mode) => checkBatch(tx, ids, mode, clock),
  })
}

async function findSpent(db: Database, after: Uuid | null): Promise<Uuid[]> {
  const rows = await db.query<{ workspace_id: Uuid }>(sql`
    select distinct workspace_id from wallet_spent where (${after}::uuid is null or workspace_id > ${after}::uuid)
      and ${thawed(sql`workspace_id`)}
      order by workspace_id limit ${BATCH}`)
  return rows.map((row) => row.workspace_id)
}

async function checkBatch(
  tx: Transaction,
  ids: readonly Uuid[],
  mode: LockMode,
  clock: Services['clock'],
): Promise<SweptWallets> {
  const spent = await takeNotes(tx, ids)
  // Most wallets suffice and are not locked.
  const short = (await plansFor(tx, spent)).map(({ workspaceId }) => workspaceId)
  if (short.length === 0) return { done: 0, busy: [] }
  const held = await lockWallets(tx, short, mode)
  const busy = without(short, held)
  await leaveNotes(tx, busy)
  const at = clock.now()
  const plans = await plansFor(tx, held)
  const idsOf = (which: 'stops' | 'tellsLow') =>
    plans.filter(({ plan }) => plan[which]).map(({ workspaceId }) => workspaceId)
  await stopKeywords(tx, idsOf('stops'), at)
  await notifyLow(tx, idsOf('tellsLow'), at)
  return { done: plans.length, busy }
}

/** An uncommitted charge leaves its own note. */
async function takeNotes(tx: Transaction, ids: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await tx.query<{ workspace_id: Uuid }>(sql`
    with taken as (select workspace_id, id from wallet_spent where workspace_id = any(${ids}::uuid[])
      and ${thawed(sql`workspace_id`)}
      order by workspace_id, id for update skip locked),
    gone as (delete from wallet_spent s using taken where s.workspace_id = taken.workspace_id and s.id = taken.id
      returning s.workspace_id)
    select distinct workspace_id from gone`)
  return rows.map((row) => row.workspace_id)
}

async function leaveNotes(tx: Transaction, ids: readonly Uuid[]): Promise<void> {
  if (ids.length > 0) await tx.query(sql`insert into wallet_spent (workspace_id) select unnest(${ids}::uuid[])`)
}

async function plansFor(reader: Reader, ids: readonly Uuid[]) {
  if (ids.length === 0) return []
  const plans = (await readWallets(reader, ids)).map((wallet) => ({
    workspaceId: wallet.workspaceId,
    plan: planCheck(wallet),
  }))
  return plans.filter(({ plan }) => plan.stops || plan.tellsLow)
}
