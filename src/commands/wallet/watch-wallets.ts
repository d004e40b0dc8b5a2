import { planLook } from '../../domain/wallet/daily-run.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../../store/database.ts'
import { type LockMode, lockWallets, readWallets } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { letGoOn } from './let-go-on.ts'
import { type Passed, passOverWallets, without } from './pass-over-wallets.ts'
import { stopKeywords } from './stop-keywords.ts'
import { tellLow } from './tell-low.ts'

/** Workspaces that are looked at in one transaction. */
const PORTION = 500

/**
 * Looks at the wallets from which something was taken since the last look: where nothing is left every running keyword
 * stops, and where little is left that is told. Several processes may do this at once. An unmetered installation lets
 * go on what the wallet had stopped instead. Answers in how many workspaces something was done.
 */
export async function watchWallets(services: Services): Promise<number> {
  const { db, clock, billing } = services
  if (billing === 'unmetered') return await letGoOn(services)
  return await passOverWallets(db, {
    name: 'the look at wallets',
    portion: PORTION,
    find: (after) => findSpent(db, after),
    work: (tx, ids, mode) => look(tx, ids, mode, clock),
  })
}

async function findSpent(db: Database, after: Uuid | null): Promise<Uuid[]> {
  const rows = await db.query<{ workspace_id: Uuid }>(sql`
    select distinct workspace_id from wallet_spent where ${after}::uuid is null or workspace_id > ${after}::uuid
      order by workspace_id limit ${PORTION}`)
  return rows.map((row) => row.workspace_id)
}

async function look(tx: Transaction, ids: readonly Uuid[], mode: LockMode, clock: Services['clock']): Promise<Passed> {
  const spent = await takeNotes(tx, ids)
  // Most have enough; only those that have not are locked, and then looked at once more.
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
  await tellLow(tx, idsOf('tellsLow'), at)
  return { done: plans.length, busy }
}

/**
 * Takes the notes of money spent, and answers whose there were. A charge that is not committed yet leaves a note of its
 * own for the next look.
 */
async function takeNotes(tx: Transaction, ids: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await tx.query<{ workspace_id: Uuid }>(sql`
    with taken as (select workspace_id, id from wallet_spent where workspace_id = any(${ids}::uuid[])
      order by workspace_id, id for update skip locked),
    gone as (delete from wallet_spent s using taken where s.workspace_id = taken.workspace_id and s.id = taken.id
      returning s.workspace_id)
    select distinct workspace_id from gone`)
  return rows.map((row) => row.workspace_id)
}

/** For the next look, at workspaces that could not be looked at in this one. */
async function leaveNotes(tx: Transaction, ids: readonly Uuid[]): Promise<void> {
  if (ids.length > 0) await tx.query(sql`insert into wallet_spent (workspace_id) select unnest(${ids}::uuid[])`)
}

/** What is to be done in those of these workspaces where something is. */
async function plansFor(reader: Reader, ids: readonly Uuid[]) {
  if (ids.length === 0) return []
  const plans = (await readWallets(reader, ids)).map((wallet) => ({
    workspaceId: wallet.workspaceId,
    plan: planLook(wallet),
  }))
  return plans.filter(({ plan }) => plan.stops || plan.tellsLow)
}
