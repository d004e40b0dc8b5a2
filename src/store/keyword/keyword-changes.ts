import { inBatches } from '../../kernel/batches.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql } from '../database.ts'

/** A position in the log: all changes that the snapshot sees, in this database. */
export interface LogPoint {
  /** Server, timeline, database, table and installation: transaction ids or the history differ where one differs. */
  database: string
  snapshot: string
}

export type LogGap = 'another database' | 'a point in the future' | 'older than the log' | 'too many changes'

export interface LogReading {
  point: LogPoint
  changed: Uuid[]
  /** `changed` is then empty, and all keywords must be read. */
  gap: LogGap | null
}

/** Above this, reading everything is as quick and takes less memory. */
export const MOST_CHANGES = 100_000

/**
 * A restored dump brings another server's transaction ids: `database` tells servers apart, and ids in this server's
 * future are ignored.
 */
const HERE = sql`
  select concat_ws('/', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()),
    8),
      (select oid from pg_database where datname = current_database()), 'keyword_change'::regclass::oid,
        id) as database,
    pg_current_snapshot() as snapshot, pruned_through from keyword_log`

export async function readLogEnd(reader: Reader): Promise<LogPoint> {
  const [row] = await reader.query<LogPoint>(sql`select database, snapshot::text as snapshot from (${HERE}) here`)
  return row!
}

export async function readChanges(reader: Reader, since: LogPoint): Promise<LogReading> {
  const [row] = await reader.query<ChangesRow>(sql`select ${changesSince(since)} from (${HERE}) here`)
  return fromRow(row!)
}

interface ChangesRow {
  database: string
  snapshot: string
  gap: LogGap | null
  changed: Uuid[] | null
}

/** Gaps first: another server's point may not be comparable. */
function changesSince({ database, snapshot }: LogPoint): Statement<unknown> {
  const since = sql`${snapshot}::pg_snapshot`
  return sql`
    database, here.snapshot::text as snapshot,
    case when database <> ${database} then 'another database'
      when pg_snapshot_xmax(${since}) > pg_snapshot_xmax(here.snapshot) then 'a point in the future'
      when pruned_through >= pg_snapshot_xmin(${since}) and pruned_through < pg_snapshot_xmax(here.snapshot) then
        'older than the log' end as gap,
    (select array_agg(keyword_id) from (
      select distinct keyword_id from keyword_change
      where xid >= pg_snapshot_xmin(${since}) and xid < pg_snapshot_xmax(here.snapshot)
        and not pg_visible_in_snapshot(xid, ${since})
      limit ${MOST_CHANGES + 1}) since) as changed`
}

function fromRow({ database, snapshot, gap, changed }: ChangesRow): LogReading {
  const tooMany = (changed?.length ?? 0) > MOST_CHANGES ? 'too many changes' : null
  const found = gap ?? tooMany
  return { point: { database, snapshot }, changed: found ? [] : (changed ?? []), gap: found }
}

const PRUNED_AT_ONCE = 10_000

/**
 * Readers behind the pruned changes must read all keywords. Keeps changes newer than the oldest open transaction:
 * otherwise a new point could precede the log's end, and its reader would read everything again for ever.
 */
export function pruneKeywordChanges(reader: Reader, before: Date): Promise<number> {
  return inBatches(PRUNED_AT_ONCE, () => prunePortion(reader, before))
}

/** Oldest first. A transaction that is pruned in part counts as pruned. */
async function prunePortion(reader: Reader, before: Date): Promise<number> {
  // Another server's changes (see HERE) go too, and must not count as the log's end.
  const [row] = await reader.query<{ count: number }>(sql`
    with old as materialized (
      select workspace_id, id from keyword_change
      where changed_at < ${before} and (xid < pg_snapshot_xmin(pg_current_snapshot())
        or xid >= pg_snapshot_xmax(pg_current_snapshot()))
      order by xid limit ${PRUNED_AT_ONCE}),
    pruned as (
      delete from keyword_change using old where keyword_change.workspace_id = old.workspace_id
        and keyword_change.id = old.id
      returning xid),
    noted as (update keyword_log set pruned_through = greatest(
      case when pruned_through < pg_snapshot_xmax(pg_current_snapshot()) then pruned_through else '0' end,
      (select xid from pruned where xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid desc limit 1))
      where exists (select from pruned))
    select count(*) as count from pruned`)
  return row!.count
}
