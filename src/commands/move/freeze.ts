import { SECOND_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { holdQueues, inHand, openSince, serverTime } from '../../store/move/draining.ts'
import { beginMove, identityOf } from '../../store/move/moves.ts'
import { type Cell, MoveProblem, type Moving } from './cell.ts'

/** Between two looks at what is waited for. */
const LOOK_EVERY_MS = SECOND_MS / 5
const TELL_EVERY_LOOKS = 50

interface Leaving {
  name: string
  deletes_at: Date | null
  importing: boolean
}

/** From now on nothing but the move changes the workspace. Throws MoveProblem. */
export async function freeze(moving: Moving, address: string): Promise<void> {
  const { workspaceId: id, here, there, clock } = moving
  const target = await identityOf(there.db)
  await here.db.transaction(async (tx) => {
    const [row] = await tx.query<Leaving>(
      sql`select name, deletes_at, importing from workspace where id = ${id} for update`,
    )
    if (row === undefined || row.importing) throw new MoveProblem('The workspace is not here.')
    if (row.deletes_at !== null)
      throw new MoveProblem('The workspace is scheduled for deletion. An owner restores it before it can move.')
    await beginMove(tx, { id, name: row.name, target, address, at: clock.now() })
  })
}

/**
 * Waits until every transaction has ended that may not know of the freeze, and no process has a delivery or a mention
 * of the workspace in hand.
 */
export async function drain(moving: Moving): Promise<void> {
  const { workspaceId, here, clock, tell } = moving
  await transactionsEnded(here, moving)
  for (let look = 0; ; look += 1) {
    await here.db.transaction((tx) => holdQueues(tx, workspaceId, clock.now()))
    const left = await inHand(here.db, workspaceId)
    if (left === 0) return
    if (look % TELL_EVERY_LOOKS === 0) tell(`Waiting for ${left} deliveries and scores in progress`)
    await clock.wait(LOOK_EVERY_MS)
  }
}

/** Waits for transactions that began before the call. */
export async function transactionsEnded({ db }: Cell, { clock, tell }: Pick<Moving, 'clock' | 'tell'>): Promise<void> {
  const before = await serverTime(db)
  for (let look = 0; ; look += 1) {
    const open = await openSince(db, before)
    if (open === 0) return
    if (look % TELL_EVERY_LOOKS === 0) tell(`Waiting for ${open} transactions that began earlier`)
    await clock.wait(LOOK_EVERY_MS)
  }
}
