import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../store/delete-in-batches.ts'
import { HEAVY_ROWS, HEAVY_TABLES, MOVED_AHEAD, type TableOfWorkspace } from '../../store/move/moved-tables.ts'
import { copyPosts } from '../../store/move/shared-rows.ts'
import {
  countRows,
  type Digest,
  digestPortion,
  insertLines,
  isReferred,
  lastPlace,
  NOTHING_RENAMED,
  type Place,
  type Renamed,
  readNumbered,
  readPortion,
  readShape,
  type TableShape,
} from '../../store/move/table-rows.ts'
import type { Moving } from './cell.ts'

const ROWS_AT_ONCE = 1000
/** Rows in one statement that compares. */
const DIGESTED_AT_ONCE = 20_000

/** Brings rows of every table ahead to the other cell, behind those that came before. */
export async function copyAhead(moving: Moving, renamed: Renamed): Promise<void> {
  for (const table of MOVED_AHEAD) {
    const shape = await readShape(moving.here.db, table)
    await (shape.numbered || shape.key.length === 0 ? copyWhole : copyBehind)(moving, shape, renamed)
  }
}

async function copyWhole({ workspaceId, here, there }: Moving, shape: TableShape, renamed: Renamed): Promise<void> {
  await there.db.transaction(async (tx) => {
    if ((await countRows(tx, shape.table, workspaceId)) === 0)
      await copyNumbered(here.db, tx, shape, workspaceId, renamed)
  })
}

/** All rows of a table, in order, in one transaction. */
export async function copyNumbered(
  here: Reader,
  there: Transaction,
  shape: TableShape,
  workspaceId: Uuid,
  renamed: Renamed,
): Promise<void> {
  const lines = shape.key.length === 0 ? await wholeOf(here, shape, workspaceId, renamed) : null
  await insertLines(there, shape, lines ?? (await readNumbered(here, shape, workspaceId, renamed)))
}

async function wholeOf(here: Reader, shape: TableShape, workspaceId: Uuid, renamed: Renamed): Promise<string[]> {
  return (await readPortion(here, shape, workspaceId, { after: [], limit: ROWS_AT_ONCE, renamed })).lines
}

async function copyBehind(moving: Moving, shape: TableShape, renamed: Renamed): Promise<void> {
  const { workspaceId, here, there, tell } = moving
  const limit = HEAVY_TABLES.has(shape.table) ? HEAVY_ROWS : ROWS_AT_ONCE
  let after = await lastPlace(there.db, shape, workspaceId)
  for (let copied = 0; ; ) {
    const { lines, last } = await readPortion(here.db, shape, workspaceId, { after, limit, renamed })
    if (lines.length > 0)
      await there.db.transaction(async (tx) => {
        if (shape.table === 'mention') await copyPosts(here.db, tx, lines)
        await insertLines(tx, shape, lines)
      })
    copied += lines.length
    if (copied > 0 && (lines.length < limit || copied % (100 * limit) === 0)) tell(`${shape.table}: ${copied} rows`)
    if (lines.length < limit) return
    after = last
  }
}

/** Tables whose rows differ between the cells, secrets aside. */
export async function differing(
  moving: Moving,
  tables: readonly TableOfWorkspace[],
  renamed: Renamed,
  there: Reader = moving.there.db,
): Promise<TableOfWorkspace[]> {
  const { workspaceId, here } = moving
  const different: TableOfWorkspace[] = []
  for (const table of tables) {
    const shape = await readShape(here.db, table)
    const ours = await digestOf(here.db, shape, workspaceId, renamed)
    const theirs = await digestOf(there, shape, workspaceId, NOTHING_RENAMED)
    if (ours.rows !== theirs.rows || String(ours.sums) !== String(theirs.sums)) different.push(table)
  }
  return different
}

async function digestOf(reader: Reader, shape: TableShape, workspaceId: Uuid, renamed: Renamed): Promise<Digest> {
  const whole: Digest = { rows: 0, sums: [0n, 0n] }
  for (let after: Place | null = []; after !== null; ) {
    const limit = shape.key.length === 0 ? ROWS_AT_ONCE : DIGESTED_AT_ONCE
    const { rows, sums, last }: Digest & { last: Place | null } = await digestPortion(reader, shape, workspaceId, {
      after,
      limit,
      renamed,
    })
    whole.rows += rows
    whole.sums = [whole.sums[0] + sums[0], whole.sums[1] + sums[1]]
    after = last
  }
  return whole
}

/** Empties a table of the copy, which nobody sees; false if rows of others refer to it or it only grows. */
export async function emptyThere({ workspaceId, there }: Moving, table: TableOfWorkspace): Promise<boolean> {
  if (table === 'ledger_posting' || (await isReferred(there.db, table))) return false
  const name = sql.table(table)
  await deleteInBatches(
    there.db,
    sql`delete from ${name} where workspace_id = ${workspaceId} and ctid = any(array(
          select ctid from ${name} where workspace_id = ${workspaceId} limit ${DELETE_BATCH})) returning 1`,
  )
  return true
}
