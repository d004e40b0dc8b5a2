import type { Uuid } from '../../kernel/ids.ts'
import { type Database, DatabaseUnavailable, isLockTimeout, type Transaction } from '../../store/database.ts'
import { type LockMode, limitLockWaits } from '../../store/wallet/wallets.ts'

export interface Pass {
  /** Used in error messages. */
  name: string
  batchSize: number
  /** In the order of ids. */
  find(after: Uuid | null): Promise<Uuid[]>
  /** Works on those that can be locked, and checks each after locking. */
  work(tx: Transaction, ids: readonly Uuid[], mode: LockMode): Promise<SweptWallets>
}

export interface SweptWallets {
  done: number
  /** Locked by others. */
  busy: readonly Uuid[]
}

interface Tally {
  done: number
  busy: Uuid[]
  failures: unknown[]
}

/**
 * Failures are thrown at the end and hold up no others. A locked workspace is tried again alone, and left for the next
 * pass if its lock times out. Returns how many were done.
 */
export async function passOverWallets(db: Database, pass: Pass): Promise<number> {
  const tally: Tally = { done: 0, busy: [], failures: [] }
  for (let after: Uuid | null = null; ; ) {
    const ids: Uuid[] = await pass.find(after)
    await passTogether(db, ids, 'free ones', pass, tally)
    if (ids.length < pass.batchSize) break
    after = ids.at(-1)!
  }
  for (const id of tally.busy.splice(0)) await passTogether(db, [id], 'all', pass, tally)
  if (tally.failures.length > 0)
    throw new AggregateError(
      tally.failures,
      `${pass.name} failed for ${tally.failures.length} workspaces and was done for ${tally.done}`,
    )
  return tally.done
}

/** After a failure, one transaction for each half. */
async function passTogether(
  db: Database,
  ids: readonly Uuid[],
  mode: LockMode,
  pass: Pass,
  tally: Tally,
): Promise<void> {
  if (ids.length === 0) return
  try {
    const { done, busy } = await db.transaction(async (tx) => {
      await limitLockWaits(tx)
      return await pass.work(tx, ids, mode)
    })
    tally.done += done
    tally.busy.push(...busy)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2)
      await passTogether(db, ids.slice(0, half), mode, pass, tally)
      await passTogether(db, ids.slice(half), mode, pass, tally)
    } else if (!isLockTimeout(error)) tally.failures.push(error)
  }
}

export function without(ids: readonly Uuid[], others: readonly Uuid[]): Uuid[] {
  const gone = new Set(others)
  return ids.filter((id) => !gone.has(id))
}
