import type { Uuid } from '../../kernel/ids.ts'
import { type Database, isLockTimeout, sql, type Transaction } from '../database.ts'

export interface RotationOptions {
  /** The size in bytes from which the current partition rotates; 4 MB by default. */
  turnAtBytes?: number
}

const TURN_AT_BYTES = 4 * 2 ** 20
/** While partitions cannot be emptied, each next one lasts longer by this factor. */
const LATER_BY = 8
const ROW_BYTES = 100
const PORTION = 1000
/** So few rows are always worth moving. */
const FEW = 5000
/** The longest that senders may wait for a truncation. */
const LOCK_WITHIN = '200ms'

interface Era {
  era: number
  current: boolean
  open: boolean
  bytes: number
}

/**
 * Keeps the queue small, even while an open snapshot keeps dead rows: former partitions are emptied and truncated, and
 * the current one rotates when it is large and mostly dead. A partition with a long reader, such as a dump, cannot be
 * truncated: it is closed to claims, and the next ones last longer. Several processes may run this at once.
 */
export async function rotateOutbox(db: Database, { turnAtBytes = TURN_AT_BYTES }: RotationOptions = {}): Promise<void> {
  for (const era of await readEras(db)) if (!era.current && era.bytes > 0) await empty(db, era)
  await turn(db, turnAtBytes)
}

async function empty(db: Database, { era, open, bytes }: Era): Promise<void> {
  if (open && !(await isWorthMoving(db, era, bytes))) return
  while ((await moveRows(db, era)) === PORTION);
  const truncated = await unlessHeldUp(db, async (tx) => {
    if (!(await lockLeft(tx, era, 'access exclusive'))) return
    await moveRest(tx, era)
    await tx.query(sql`truncate ${partOf(era)}`)
    await close(tx, era)
  })
  if (truncated || !open) return
  // A long reader: only writers are waited for, and then nothing claimable is left. A row that an old statement inserts
  // later is found the next time.
  await unlessHeldUp(db, async (tx) => {
    if (!(await lockLeft(tx, era, 'share row exclusive'))) return
    await moveRest(tx, era)
    await close(tx, era)
  })
}

async function turn(db: Database, turnAtBytes: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockEras(tx)
    const eras = await readEras(tx)
    const current = eras.find((era) => era.current)!
    const next = eras.find((era) => !era.current && era.bytes === 0)
    const left = eras.filter((era) => !era.current && era.bytes > 0).length
    if (
      !next ||
      current.bytes < turnAtBytes * LATER_BY ** left ||
      !(await isMostlyGone(tx, current.era, current.bytes))
    )
      return
    await tx.query(sql`update delivery_era set current = false where current`)
    await tx.query(sql`update delivery_era set current = true, open = true where era = ${next.era}`)
  })
}

async function readEras(reader: Pick<Database, 'query'>): Promise<Era[]> {
  return await reader.query<Era>(sql`
    select era, current, open, pg_relation_size(('delivery_queue_' || era)::regclass) as bytes from delivery_era
      order by era`)
}

async function isWorthMoving(db: Database, era: number, bytes: number): Promise<boolean> {
  return (await countUpTo(db, era, FEW)) < FEW || (await isMostlyGone(db, era, bytes))
}

async function isMostlyGone(reader: Pick<Database, 'query'>, era: number, bytes: number): Promise<boolean> {
  const half = Math.floor(bytes / ROW_BYTES / 2)
  return (await countUpTo(reader, era, half)) < half
}

async function countUpTo(reader: Pick<Database, 'query'>, era: number, most: number): Promise<number> {
  const [row] = await reader.query<{ n: number }>(
    sql`select count(*) as n from (select from ${partOf(era)} limit ${most}) q`,
  )
  return row!.n
}

async function moveRows(db: Database, era: number): Promise<number> {
  return await db.transaction(async (tx) => {
    const some = await tx.query<{ workspace_id: Uuid; delivery_id: Uuid }>(
      sql`select workspace_id, delivery_id from ${partOf(era)} limit ${PORTION} for update skip locked`,
    )
    await throughIndexes(tx)
    const moved = await tx.query(sql`
      update delivery_queue q set era = c.era from (select era from delivery_era where current) c,
        unnest(${some.map((row) => row.workspace_id)}::uuid[], ${some.map((row) => row.delivery_id)}::uuid[]) as t
          (workspace_id, delivery_id)
      where q.era = ${era} and c.era <> ${era} and q.workspace_id = t.workspace_id and q.delivery_id = t.delivery_id
        returning 1`)
    return moved.length
  })
}

async function moveRest(tx: Transaction, era: number): Promise<void> {
  await tx.query(
    sql`update delivery_queue q set era = c.era from (select era from delivery_era where current) c
        where q.era = ${era}`,
  )
}

async function close(tx: Transaction, era: number): Promise<void> {
  await tx.query(sql`update delivery_era set open = false where era = ${era} and open`)
}

async function lockLeft(
  tx: Transaction,
  era: number,
  mode: 'access exclusive' | 'share row exclusive',
): Promise<boolean> {
  await tx.query(sql`set local lock_timeout = ${sql.lit(LOCK_WITHIN)}`)
  await lockEras(tx)
  const [left] = await tx.query(sql`select 1 from delivery_era where era = ${era} and not current`)
  if (!left) return false
  await tx.query(sql`lock table only ${partOf(era)} in ${sql.raw(mode)} mode`)
  return true
}

/** One process does each step. */
async function lockEras(tx: Transaction): Promise<void> {
  await tx.query(sql`select from delivery_era order by era for no key update`)
}

/**
 * Forces index lookups in this transaction: partitions are empty at one moment and large at the next, and a cached plan
 * of the one would read the whole partition for each row of the other.
 */
export async function throughIndexes(tx: Transaction): Promise<void> {
  await tx.query(sql.raw(THROUGH_INDEXES))
}

/** In index order, for statements that claim or lock. They lose the token hash index, which has no order. */
export async function alongIndexes(tx: Transaction): Promise<void> {
  await tx.query(sql.raw(`${THROUGH_INDEXES}; set local enable_bitmapscan = off`))
}

const THROUGH_INDEXES =
  'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off'

async function unlessHeldUp(db: Database, work: (tx: Transaction) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction(work)
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

function partOf(era: number) {
  return sql.table(`delivery_queue_${era}`)
}
