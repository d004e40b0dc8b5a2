import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'

/**
 * Notified when sources may be free or shares have changed: a process has joined or left, or has let go of a source.
 */
export const SOURCE_CHANNEL = 'earshot_source'

/** The right of one process to collect from a source, good until another process takes it. */
export interface SourceLease {
  source: string
  /** The process that has it. */
  holder: Uuid
}

/** The source is another process's by now: whatever the caller was about to write down is not its business any more. */
export class LeaseLost extends Error {
  constructor({ source }: SourceLease) {
    super(`${source} is collected by another process now`)
    this.name = 'LeaseLost'
  }
}

export interface Renewal {
  holder: Uuid
  at: Date
  leasedUntil: Date
}

/**
 * Says that a process is alive and renews every lease that it has; a lease that is over but that nobody else has taken
 * counts as its own still. Answers the sources that it holds and how many processes collect, itself included.
 */
export async function renewLeases(
  db: Database,
  { holder, at, leasedUntil }: Renewal,
): Promise<{ held: string[]; collectors: number }> {
  const [row] = await db.run<{ held: string[]; collectors: number }>(
    'renew-source-leases',
    `with me as (insert into collector (id, alive_until) values ($1, $3) on conflict (id) do update
        set alive_until = excluded.alive_until),
     gone as (delete from collector where id in (select id from collector
       where alive_until <= $2 and id <> $1 for update skip locked)),
     mine as (update source_state set leased_until = $3 where holder = $1 returning source)
     select (select coalesce(array_agg(source), '{}') from mine) as held, 1 + (select count(*) from collector
       where alive_until > $2 and id <> $1) as collectors`,
    [holder, at, leasedUntil],
  )
  return row!
}

export interface Taking extends Renewal {
  /** The sources that the process can collect from; each must be registered. */
  sources: readonly string[]
  /** How many it takes at most. */
  limit: number
}

/** Takes sources that nobody holds, or whose holder has not renewed its lease in time. */
export async function takeSources(
  db: Database,
  { holder, at, leasedUntil, sources, limit }: Taking,
): Promise<string[]> {
  // A row that is locked is being written by its holder, or taken by somebody else: neither way is it free.
  const rows = await db.run<{ source: string }>(
    'take-sources',
    `with free as (
       select source from source_state where source = any($4::text[]) and (holder is null or leased_until <= $2)
         and holder is distinct from $1
       order by leased_until nulls first, source limit $5 for update skip locked)
     update source_state s set holder = $1, leased_until = $3 from free where s.source = free.source
       returning s.source`,
    [holder, at, leasedUntil, sources, limit],
  )
  return rows.map(({ source }) => source)
}

/** Lets go of a source, so that another process takes it at once. */
export async function releaseSource(db: Database, { source, holder }: SourceLease): Promise<void> {
  await db.run(
    'release-source',
    `with freed as (update source_state set holder = null, leased_until = null where source = $1 and holder = $2
        returning source) select pg_notify('${SOURCE_CHANNEL}', source) from freed`,
    [source, holder],
  )
}

/** Tells the other processes that one more collects from now on. */
export async function announceCollector(db: Database): Promise<void> {
  await db.query(sql`select pg_notify(${SOURCE_CHANNEL}, 'joined')`)
}

/** The orderly end of a process that collects: everything it still holds is free at once. */
export async function leaveCollectors(db: Database, holder: Uuid): Promise<void> {
  await db.run(
    'leave-collectors',
    `with me as (delete from collector where id = $1), freed as (update source_state
        set holder = null, leased_until = null where holder = $1)
     select pg_notify('${SOURCE_CHANNEL}', 'left')`,
    [holder],
  )
}

/**
 * The fence: nobody takes the source before the transaction ends. Throws LeaseLost, which undoes the transaction, when
 * somebody has taken it already. The last step but the cursor, so that the row is locked for a moment only.
 */
export async function holdLease(tx: Transaction, lease: SourceLease): Promise<void> {
  const rows = await tx.run(
    'hold-source-lease',
    'select from source_state where source = $1 and holder = $2 for no key update',
    [lease.source, lease.holder],
  )
  if (rows.length === 0) throw new LeaseLost(lease)
}

/** Frees every source and forgets whoever collected. Only for a process that knows itself to be the only one. */
export async function releaseAllSources(db: Database): Promise<void> {
  await db.run(
    'release-all-sources',
    'with gone as (delete from collector) update source_state set holder = null, leased_until = null where holder ' +
      'is not null',
    [],
  )
}
