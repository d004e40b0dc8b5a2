import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import { type Verified, verifyLedger } from '../../queries/wallet/verify-ledger.ts'
import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { arrivalState, arrive } from '../../store/move/arrivals.ts'
import { MOVED_AHEAD } from '../../store/move/moved-tables.ts'
import { readMove } from '../../store/move/moves.ts'
import { copyClients, copyPlaces, copyUsers } from '../../store/move/shared-rows.ts'
import type { Renamed } from '../../store/move/table-rows.ts'
import { MoveProblem, type Moving } from './cell.ts'
import { copyAhead, differing, emptyThere } from './copy-rows.ts'
import { carrySecrets } from './secrets.ts'

/** Jobs may tidy rows while they are copied. */
const TRIES = 5

/**
 * Copies the frozen workspace into the other cell, where nobody sees it, and proves table by table that the copy is
 * equal. Goes on where an interrupted call ended. Throws MoveProblem.
 */
export async function copyWorkspace(moving: Moving, address: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const renamed = await prepare(moving, address)
    await copyAhead(moving, renamed)
    await carrySecrets(moving)
    const different = await differing(moving, MOVED_AHEAD, renamed)
    if (different.length === 0) return await compareLedgers(moving)
    if (tried === TRIES)
      throw new MoveProblem(`The copy of ${different.join(', ')} differs from the workspace. Run the command again.`)
    moving.tell(`Copying ${different.join(', ')} again, which changed meanwhile`)
    for (const table of different)
      if (!(await emptyThere(moving, table))) {
        await removeWorkspaceRows(moving.there.db, moving.workspaceId)
        break
      }
  }
}

/** Makes what workspaces share, and returns what is called otherwise there. Repeats are safe. */
export async function prepare({ workspaceId, here, there, publicUrl }: Moving, address: string): Promise<Renamed> {
  if ((await arrivalState(there.db, workspaceId)) === 'open')
    throw new MoveProblem('The other cell has a workspace with this id already.')
  const other = await readMove(there.db, workspaceId)
  if (other !== null && other.state !== 'gone')
    throw new MoveProblem('The other cell has not finished its own move of this workspace. Run that to its end first.')
  return await there.db.transaction(async (tx) => {
    await arrive(here.db, tx, workspaceId)
    const users = await copyUsers(here.db, tx, workspaceId)
    await copyClients(here.db, tx, workspaceId)
    const places = await copyPlaces(here.db, tx, workspaceId)
    return { users, places, resource: { here: toolServerUrl(publicUrl), there: toolServerUrl(address) } }
  })
}

/** Balances, charges and mentions add up there as they do here. */
async function compareLedgers({ workspaceId, here, there }: Moving): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [here, there].map(({ db }) => verifyLedger(db, { metered: false, workspaceId })),
  )
  if (inOneOrder(ours!) !== inOneOrder(theirs!))
    throw new MoveProblem('The ledger of the copy does not add up as it does here. Report this with the output.')
}

/** What differs comes in the order of the plan of a statement, which is another one at each server. */
function inOneOrder({ differences, ...counts }: Verified): string {
  return JSON.stringify([counts, differences.map((difference) => JSON.stringify(difference)).sort()])
}
