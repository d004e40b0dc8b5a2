import type { Uuid } from '../../kernel/ids.ts'
import { inPortions } from '../../kernel/portions.ts'
import { type Reader, type Statement, sql } from '../database.ts'

/**
 * Up to where somebody knows the log of keyword changes: every change that the snapshot saw, and no other. Good only
 * for the database that it was read from.
 */
export interface LogPoint {
  /**
   * The server and its timeline, the database, the table, the installation: where one of them differs, transactions are
   * counted anew or the history is another.
   */
  database: string
  /** As PostgreSQL writes a pg_snapshot. */
  snapshot: string
}

/** Why the log cannot say what changed since a point. */
export type LogGap = 'another database' | 'a point in the future' | 'older than the log' | 'too many changes'

export interface LogReading {
  /** Up to where the log was read. */
  point: LogPoint
  /**
   * The keywords that changed since the point before, each once; only the log says that much, not what became of them.
   */
  changed: Uuid[]
  /** When it is not null, `changed` is empty and everything has to be read. */
  gap: LogGap | null
}

/** From so many changes on, reading everything is as quick and takes less memory. */
export const MOST_CHANGES = 100_000

/**
 * A dump that is loaded elsewhere brings its log along, with the transactions of another count: `database` tells such
 * servers apart, and what lies in the future of this one is passed over.
 */
const HERE = sql`
  select concat_ws('/', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()),
    8),
      (select oid from pg_database where datname = current_database()), 'keyword_change'::regclass::oid,
        id) as database,
    pg_current_snapshot() as snapshot, pruned_through from keyword_log`

/** Where the log ends now, for somebody who is about to read everything. */
export async function readLogEnd(reader: Reader): Promise<LogPoint> {
  const [row] = await reader.query<LogPoint>(sql`select database, snapshot::text as snapshot from (${HERE}) here`)
  return row!
}

/** What changed since a point, those included whose transaction was under way then. */
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

/**
 * Columns of `HERE` and of the log. A gap is looked for first: a point of another server may not even be comparable.
 */
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

/** So many changes are forgotten in one transaction. */
const PRUNED_AT_ONCE = 10_000

/**
 * Forgets changes from before an instant, portion by portion, and answers how many; who has not read them by then reads
 * everything. Nothing is forgotten that came after a transaction which is still open: a point that is read now must not
 * lie before the end of the log, or its reader would read everything again for ever.
 */
export function pruneKeywordChanges(reader: Reader, before: Date): Promise<number> {
  return inPortions(PRUNED_AT_ONCE, () => prunePortion(reader, before))
}

/** The oldest transactions go first. Where a portion ends within one, the log counts as pruned through all of it. */
async function prunePortion(reader: Reader, before: Date): Promise<number> {
  // What is not from this server's past (see HERE) goes too, and must not count as the end of its log.
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
