import { removeWorkspaceRows } from '../../store/archive/remove-rows.ts'
import { arrivalState, thaw } from '../../store/move/arrivals.ts'
import { releaseQueues } from '../../store/move/draining.ts'
import { forgetMove, identityOf, leave, type Move, noteOpened, readMove, setMoveState } from '../../store/move/moves.ts'
import { MoveProblem, type Moving } from './cell.ts'
import { copyWorkspace } from './copy-workspace.ts'
import { drain, freeze, transactionsEnded } from './freeze.ts'
import { handOver } from './hand-over.ts'
import { openThere } from './open-there.ts'
import { takeAwaited } from './take-awaited.ts'

/**
 * Moves a workspace to another cell, or goes on with a move that was interrupted at any point. At most one cell works
 * for it: this one leaves it for good before the other opens it. Throws MoveProblem.
 */
export async function moveWorkspace(moving: Moving, address: string): Promise<void> {
  const { workspaceId: id, here, clock, tell } = moving
  const before = await readMove(here.db, id)
  if (before === null || (before.state === 'gone' && (await arrivalState(here.db, id)) === 'open')) {
    tell('Freezing the workspace')
    await freeze(moving, address)
  }
  const move = await checked(moving, address)
  if (move.state === 'frozen') {
    await drain(moving)
    tell('Copying it')
    await copyWorkspace(moving, move.address)
    tell('The copy is equal. Leaving')
    await here.db.transaction((tx) => leave(tx, id))
  }
  if (move.state === 'frozen' || move.state === 'left') {
    await openThere(moving, move.address)
    await here.db.transaction((tx) => noteOpened(tx, id, clock.now()))
    tell(`The workspace is open at ${move.address}`)
  }
  if (move.state === 'gone') return
  await handOver(moving)
  tell('Removing its rows here')
  await removeWorkspaceRows(here.db, id)
  await here.db.transaction((tx) => setMoveState(tx, id, 'gone'))
}

async function checked({ workspaceId, here, there }: Moving, address: string): Promise<Move> {
  const move = (await readMove(here.db, workspaceId))!
  if (move.target !== (await identityOf(there.db)))
    throw new MoveProblem('The move of this workspace began to another database. Give the same one, or cancel it.')
  if (move.address !== address) throw new MoveProblem(`The move of this workspace began to ${move.address}. Give that.`)
  return move
}

/** Undoes a move that has not left this cell, and lets the workspace go on here. Throws MoveProblem. */
export async function cancelMove(moving: Moving): Promise<void> {
  const { workspaceId: id, here, there, clock } = moving
  const move = await readMove(here.db, id)
  if (move?.state !== 'frozen')
    throw new MoveProblem(
      move === null ? 'No move of this workspace has begun.' : 'The workspace has left; finish its move instead.',
    )
  if (move.target !== (await identityOf(there.db)))
    throw new MoveProblem('The move of this workspace began to another database. Give the same one.')
  if ((await arrivalState(there.db, id)) === 'arriving') await removeWorkspaceRows(there.db, id)
  await here.db.transaction(async (tx) => {
    await releaseQueues(tx, id, clock.now())
    await thaw(tx, id)
    await forgetMove(tx, id)
  })
  await transactionsEnded(here, moving)
  await takeAwaited(here, moving)
}
