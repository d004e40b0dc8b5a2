import { type Reader, sql, type Transaction } from '../database.ts'

export interface SourceState {
  source: string
  /** Polled at intervals, as opposed to a live feed. */
  scheduled: boolean
  cursor: unknown
  newestAt: Date | null
  lastPolledAt: Date | null
  lastSuccessAt: Date | null
  emptyPolls: number
  failures: number
  lastError: string | null
}

interface SourceRow {
  source: string
  scheduled: boolean
  cursor: unknown
  newest_at: Date | null
  last_polled_at: Date | null
  last_success_at: Date | null
  empty_polls: number
  failures: number
  last_error: string | null
}

export async function readSourceStates(reader: Reader): Promise<SourceState[]> {
  const rows = await reader.query<SourceRow>(
    sql`select source, scheduled, cursor, newest_at, last_polled_at, last_success_at, empty_polls, failures, last_error
        from source_state order by source`,
  )
  return rows.map((row) => ({
    source: row.source,
    scheduled: row.scheduled,
    cursor: row.cursor,
    newestAt: row.newest_at,
    lastPolledAt: row.last_polled_at,
    lastSuccessAt: row.last_success_at,
    emptyPolls: row.empty_polls,
    failures: row.failures,
    lastError: row.last_error,
  }))
}

/** Before any source is read. */
export async function registerSources(
  tx: Transaction,
  sources: readonly { source: string; scheduled: boolean }[],
  at: Date,
): Promise<void> {
  const names = sources.map((source) => source.source)
  const scheduled = sources.filter((source) => source.scheduled).map((source) => source.source)
  await tx.query(sql`update source_state set scheduled = false where scheduled and source <> all(${scheduled}::text[])`)
  await tx.query(sql`
    insert into source_state as s (source, scheduled, updated_at) select source, source = any(${scheduled}::text[]),
      ${at} from unnest(${names}::text[]) as t (source) order by source
    on conflict (source) do update set scheduled = excluded.scheduled where s.scheduled <> excluded.scheduled`)
}

/** Leaves the sources of a cell in the same database as they are. */
export async function registerGathered(tx: Transaction, names: readonly string[], at: Date): Promise<void> {
  await tx.query(sql`
    insert into source_state (source, updated_at) select source, ${at} from unnest(${names}::text[]) as t (source)
      order by source on conflict (source) do nothing`)
}

export async function readCursor(reader: Reader, source: string): Promise<unknown> {
  const rows = await reader.query<{ cursor: unknown }>(sql`select cursor from source_state where source = ${source}`)
  return rows[0]?.cursor ?? null
}

/** In the transaction that stored everything up to the cursor and holds the lease. */
export async function saveCursor(
  tx: Transaction,
  source: string,
  cursor: unknown,
  newestAt: Date | null,
  at: Date,
): Promise<void> {
  await tx.run(
    'save-cursor',
    `insert into source_state as s (source, cursor, newest_at, last_success_at, updated_at)
        values ($1, $2::jsonb, $3, $4, $4)
     on conflict (source) do update set cursor = excluded.cursor, newest_at = greatest(s.newest_at, excluded.newest_at),
       last_success_at = $4, failures = 0, last_error = null, updated_at = $4`,
    [source, JSON.stringify(cursor), newestAt, at],
  )
}

export async function notePoll(
  tx: Transaction,
  source: string,
  found: number,
  at: Date,
  newestAt: Date | null,
): Promise<void> {
  await tx.run(
    'note-poll',
    `insert into source_state as s (source, last_polled_at, last_success_at, empty_polls, newest_at, updated_at)
        values ($1, $2, $2, $3, $4, $2)
     on conflict (source) do update set last_polled_at = $2, last_success_at = $2, failures = 0, last_error = null,
       updated_at = $2,
       newest_at = greatest(s.newest_at, $4), empty_polls = case when $3 = 0 then 0 else s.empty_polls + 1 end`,
    [source, at, found > 0 ? 0 : 1, newestAt],
  )
}

export async function noteFailure(tx: Transaction, source: string, error: string, at: Date): Promise<void> {
  await tx.run(
    'note-failure',
    `insert into source_state as s (source, failures, last_error, updated_at) values ($1, 1, $2, $3)
     on conflict (source) do update set failures = s.failures + 1, last_error = $2, updated_at = $3`,
    [source, error, at],
  )
}
