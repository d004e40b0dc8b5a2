import {
  dayBefore,
  dueDay,
  type MentionDay,
  planRun,
  planUnmetered,
  type RunPlan,
} from '../../domain/wallet/daily-run.ts'
import { KEYWORD_DAY } from '../../domain/wallet/prices.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { units } from '../../kernel/money.ts'
import { type Database, type Reader, sql, type Transaction } from '../../store/database.ts'
import { bookAll } from '../../store/wallet/ledger.ts'
import { type LockMode, lockWallets, readWallets } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { notifyLow } from './notify-low.ts'
import { passOverWallets, type SweptWallets, without } from './pass-over-wallets.ts'
import { stopKeywords } from './stop-keywords.ts'

/** Workspaces in one transaction. */
const BATCH = 200

type Run = Pick<Services, 'clock' | 'billing'> & { day: string }

/**
 * Runs the current UTC day once for each workspace, from 00:05, however many processes start it. Settles the mentions
 * of earlier days, then charges each running keyword, or stops all if the balance is short. An unmetered installation
 * only settles. Returns for how many workspaces it ran.
 */
export async function runDay({ db, clock, billing }: Services): Promise<number> {
  const day = dueDay(clock.now())
  if (day === null) return 0
  return await passOverWallets(db, {
    name: 'the daily run',
    batchSize: BATCH,
    find: (after) => findDue(db, day, after),
    work: (tx, ids, mode) => runBatch(tx, ids, mode, { day, clock, billing }),
  })
}

async function findDue(db: Database, day: string, after: Uuid | null): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(sql`
    select id from workspace where settled_through < ${dayBefore(day)}::date and deletes_at is null
      and not frozen
      and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${BATCH}`)
  return rows.map(({ id }) => id)
}

async function runBatch(
  tx: Transaction,
  ids: readonly Uuid[],
  mode: LockMode,
  { day, clock, billing }: Run,
): Promise<SweptWallets> {
  const held = await lockWallets(tx, ids, mode)
  const busy = without(ids, held)
  // The time is taken after waiting for locks.
  const at = clock.now()
  // Midnight has passed meanwhile: later charges belong to the next run.
  if (dueDay(at) !== day) return { done: 0, busy: [] }
  const due = await stillDue(tx, held, day)
  if (due.length === 0) return { done: 0, busy }
  const plans = await plansFor(tx, due, day, billing)
  await bookAll(
    tx,
    plans.flatMap(({ workspaceId, plan }) => plan.entries.map((entry) => ({ ...entry, workspaceId, at }))),
  )
  await chargeKeywords(tx, plans, day)
  await tx.query(sql`update workspace set settled_through = ${dayBefore(day)}::date where id = any(${due}::uuid[])`)
  await stopKeywords(tx, idsOf(plans, 'stops'), at)
  await notifyLow(tx, idsOf(plans, 'tellsLow'), at)
  return { done: due.length, busy }
}

/** Another process may have run some meanwhile. A workspace that is being deleted or moved is settled
 * after it. */
async function stillDue(tx: Transaction, ids: readonly Uuid[], day: string): Promise<Uuid[]> {
  const rows = await tx.query<{ id: Uuid }>(
    sql`select id from workspace where id = any(${ids}::uuid[]) and settled_through < ${dayBefore(day)}::date
        and deletes_at is null and not frozen order by id`,
  )
  return rows.map(({ id }) => id)
}

interface Planned {
  workspaceId: Uuid
  running: number
  plan: RunPlan
}

async function plansFor(
  tx: Transaction,
  ids: readonly Uuid[],
  day: string,
  billing: Run['billing'],
): Promise<Planned[]> {
  const unsettled = await readUnsettled(tx, ids, day)
  return (await readWallets(tx, ids)).map((wallet) => {
    const facts = { ...wallet, unsettled: unsettled.get(wallet.workspaceId) ?? [] }
    return {
      workspaceId: wallet.workspaceId,
      running: wallet.running,
      plan: billing === 'metered' ? planRun(day, facts) : planUnmetered(facts),
    }
  })
}

async function readUnsettled(reader: Reader, ids: readonly Uuid[], day: string): Promise<Map<Uuid, MentionDay[]>> {
  const rows = await reader.query<{ workspace_id: Uuid; day: string; amount: number }>(sql`
    select w.id as workspace_id, u.day, sum(u.mention_units)::bigint as amount
    from workspace w join usage_day u on u.workspace_id = w.id and u.day > w.settled_through and u.day < ${day}::date
    where w.id = any(${ids}::uuid[]) group by w.id, u.day order by w.id, u.day`)
  const days = groupBy(rows, (row) => row.workspace_id)
  return new Map([...days].map(([id, own]) => [id, own.map((row) => ({ day: row.day, amount: units(row.amount) }))]))
}

async function chargeKeywords(tx: Transaction, plans: readonly Planned[], day: string): Promise<void> {
  const charged = plans.filter(({ plan }) => plan.charges)
  if (charged.length === 0) return
  const ids = charged.map(({ workspaceId }) => workspaceId)
  const [made] = await tx.query<{ count: number }>(sql`
    with made as (
      insert into keyword_day (workspace_id, day, keyword_id, units)
      select workspace_id, ${day}::date, id, ${KEYWORD_DAY} from keyword where workspace_id = any(${ids}::uuid[])
        and not muted returning 1)
    select count(*) as count from made`)
  // All counters and workspaces are locked, so no keyword has started or stopped since the count.
  if (made!.count !== charged.reduce((sum, { running }) => sum + running, 0))
    throw new Error('other keywords were charged than were counted')
}

function idsOf(plans: readonly Planned[], which: 'stops' | 'tellsLow'): Uuid[] {
  return plans.filter(({ plan }) => plan[which]).map(({ workspaceId }) => workspaceId)
}
