import type { Uuid } from '../../kernel/ids.ts'
import { type Database, DatabaseUnavailable, isLockTimeout, type Transaction } from '../../store/database.ts'
import { type LockMode, limitLockWaits } from '../../store/wallet/wallets.ts'

/** Something that is done to many workspaces, a portion of them in one transaction. */
export interface Pass {
  /** What errors call it. */
  name: string
  /** Workspaces that are found at once. */
  portion: number
  /** The next workspaces that it may have to be done to, in the order of their ids, behind this one. */
  find(after: Uuid | null): Promise<Uuid[]>
  /**
   * Does it to those of these of which it gets hold; each is looked at again after it was locked, for others may have
   * done it meanwhile.
   */
  work(tx: Transaction, ids: readonly Uuid[], mode: LockMode): Promise<Passed>
}

export interface Passed {
  /** In how many workspaces something was done. */
  done: number
  /** Of which somebody else holds something. */
  busy: readonly Uuid[]
}

interface Tally {
  done: number
  busy: Uuid[]
  failures: unknown[]
}

/**
 * Passes over all workspaces. One for which it fails holds up no other, and is told of when all had their turn. Nor
 * does one of which somebody else holds a counter: it is come back to at the end, alone, and left for the next pass
 * when that waits for too long. Answers in how many workspaces something was done.
 */
export async function passOverWallets(db: Database, pass: Pass): Promise<number> {
  const tally: Tally = { done: 0, busy: [], failures: [] }
  for (let after: Uuid | null = null; ; ) {
    const ids: Uuid[] = await pass.find(after)
    await passTogether(db, ids, 'free ones', pass, tally)
    if (ids.length < pass.portion) break
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

/** One transaction for all, as long as that goes well, and otherwise one for each half. */
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

/** Those of these workspaces that are not among the others. */
export function without(ids: readonly Uuid[], others: readonly Uuid[]): Uuid[] {
  const gone = new Set(others)
  return ids.filter((id) => !gone.has(id))
}
