import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'

/** A change of a workspace that is on its way to another cell. */
export class WorkspaceFrozen extends Error {
  constructor(workspaceId: Uuid) {
    super(`workspace ${workspaceId} is moving to another cell`)
    this.name = 'WorkspaceFrozen'
  }
}

/** A condition: the workspace whose id the expression gives is not frozen. */
export function thawed(id: Statement<unknown>): Statement<unknown> {
  return sql`not exists (select from workspace moving where moving.id = ${id} and moving.frozen)`
}

export async function isFrozen(reader: Reader, workspaceId: Uuid): Promise<boolean> {
  const rows = await reader.run('is-frozen', 'select from workspace where id = $1 and frozen', [workspaceId])
  return rows.length > 0
}

/**
 * Runs `work` unless the workspace is frozen, and otherwise throws WorkspaceFrozen, which undoes it. A transaction that
 * began before the freeze may pass: the move waits for its end.
 */
export async function unlessFrozen<Result>(
  tx: Transaction,
  workspaceId: Uuid,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (await isFrozen(tx, workspaceId)) throw new WorkspaceFrozen(workspaceId)
  return await work(tx)
}

/** Read in the transaction that changes them. */
export async function withoutFrozen(reader: Reader, ids: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`select id from workspace where id = any(${ids}::uuid[]) and frozen`)
  const frozen = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !frozen.has(id))
}
