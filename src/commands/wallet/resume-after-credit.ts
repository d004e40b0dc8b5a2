import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../../store/database.ts'
import { lockRunning, storeRunning } from '../../store/keyword/running-states.ts'
import { type LockMode, lockWallets } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { liftWelcomeLimits } from './lift-welcome-limits.ts'
import { passOverWallets, type SweptWallets, without } from './pass-over-wallets.ts'
import { resumeStopped } from './resume-keywords.ts'

const BATCH = 200

/**
 * Resumes what the balance, the welcome limit or the noise brake stopped while the installation was metered. Callers'
 * own caps stay. Returns in how many workspaces.
 */
export async function resumeAfterCredit({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  await dropNotes(db)
  return await passOverWallets(db, {
    name: 'letting keywords go on',
    batchSize: BATCH,
    find: (after) => findStopped(db, dayOf(monthStart(clock.now())), after),
    work: (tx, ids, mode) => resume(tx, ids, mode, clock),
  })
}

async function dropNotes(db: Database): Promise<void> {
  await db.transaction((tx) =>
    tx.query(sql`
      with taken as (select workspace_id, id from wallet_spent order by workspace_id, id for update skip locked)
      delete from wallet_spent s using taken where s.workspace_id = taken.workspace_id and s.id = taken.id`),
  )
}

async function findStopped(db: Database, month: string, after: Uuid | null): Promise<Uuid[]> {
  const rows = await db.query<{ workspace_id: Uuid }>(sql`
    select workspace_id from (
      select workspace_id from keyword where paused_for_balance or paused_for_noise
      union
      select k.workspace_id from keyword k join keyword_counter c on c.workspace_id = k.workspace_id
        and c.keyword_id = k.id
      where k.paused_for_cap and (k.cap_own is null or c.month < ${month}::date
        or c.month_mentions < k.cap_own)) stopped
    where ${after}::uuid is null or workspace_id > ${after}::uuid order by workspace_id limit ${BATCH}`)
  return rows.map((row) => row.workspace_id)
}

async function resume(
  tx: Transaction,
  ids: readonly Uuid[],
  mode: LockMode,
  clock: Services['clock'],
): Promise<SweptWallets> {
  const held = await lockWallets(tx, ids, mode)
  const at = clock.now()
  const lifted = await liftWelcomeLimits(tx, held, at)
  const released = await releaseBrake(tx, held, at)
  const resumed = await resumeStopped(tx, held, { at, lifted })
  const changed = new Set([...lifted.map(({ workspaceId }) => workspaceId), ...released, ...resumed.keys()])
  return { done: changed.size, busy: without(ids, held) }
}

/** The noise brake sends no events. */
async function releaseBrake(tx: Transaction, workspaceIds: readonly Uuid[], at: Date): Promise<Uuid[]> {
  const keywords = await lockRunning(tx, workspaceIds, 'noisy')
  // The noise is judged anew, as after unmuting.
  const moves = keywords.map((keyword) => ({ keyword, state: stepRunning(keyword.state, { kind: 'unmute' }).state }))
  await storeRunning(tx, moves, at)
  return keywords.map(({ workspaceId }) => workspaceId)
}
