import { announceWork } from '../../store/announcements.ts'
import type { Transaction } from '../../store/database.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { arrivalState, keywordIds, open } from '../../store/move/arrivals.ts'
import { releaseQueues } from '../../store/move/draining.ts'
import { MOVED_AT_OPENING } from '../../store/move/moved-tables.ts'
import { copyQueries, rewindPlaces } from '../../store/move/shared-rows.ts'
import { insertLines, type Renamed, readNumbered, readPortion, readShape } from '../../store/move/table-rows.ts'
import { MoveProblem, type Moving } from './cell.ts'
import { differing } from './copy-rows.ts'
import { prepare } from './copy-workspace.ts'

const ROWS_AT_ONCE = 1000

/** In one transaction: what is to be done of the workspace moves, and it is as any other there. */
export async function openThere(moving: Moving, address: string): Promise<void> {
  const { workspaceId, here, there, clock } = moving
  if ((await arrivalState(there.db, workspaceId)) === 'open') return
  const renamed = await prepare(moving, address)
  await there.db.transaction(async (tx) => {
    const at = clock.now()
    await copyQueries(here.db, tx, workspaceId)
    for (const table of MOVED_AT_OPENING) await copyWork(tx, moving, table, renamed)
    const different = await differing(moving, MOVED_AT_OPENING, renamed, tx)
    if (different.length > 0)
      throw new MoveProblem(`The copy of ${different.join(', ')} differs. Run the command again.`)
    await releaseQueues(tx, workspaceId, at)
    await rewindPlaces(here.db, tx, workspaceId, at)
    await open(tx, workspaceId)
    await announceKeywords(tx, workspaceId, await keywordIds(tx, workspaceId))
    await announceWork(tx, 'mentions')
    await announceWork(tx, 'deliveries')
  })
}

async function copyWork(
  tx: Transaction,
  { workspaceId, here }: Moving,
  table: (typeof MOVED_AT_OPENING)[number],
  renamed: Renamed,
): Promise<void> {
  const shape = await readShape(here.db, table)
  if (shape.numbered) return await insertLines(tx, shape, await readNumbered(here.db, shape, workspaceId, renamed))
  for (let after: readonly string[] = []; ; ) {
    const { lines, last } = await readPortion(here.db, shape, workspaceId, {
      after,
      limit: ROWS_AT_ONCE,
      renamed,
    })
    await insertLines(tx, shape, lines)
    if (lines.length < ROWS_AT_ONCE) return
    after = last
  }
}
