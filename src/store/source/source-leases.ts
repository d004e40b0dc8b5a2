import type { Uuid } from '../../kernel/ids.ts'
import { type Database, sql, type Transaction } from '../database.ts'
import { GivenValues } from '../given-rows.ts'

/** A process joined, left or released a source. */
export const SOURCE_CHANNEL = 'earshot_source'

export interface SourceLease {
  source: string
  holder: Uuid
}

/** Another process collects the source now; nothing may be written. */
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
 * Renews also expired leases that no other process took. Returns the process's sources, and the number of collecting
 * processes.
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

/** Like `renewLeases`, for a process that is not counted among those that collect. */
export async function renewSources(db: Database, { holder, leasedUntil }: Renewal): Promise<string[]> {
  const rows = await db.run<{ source: string }>(
    'renew-gathered-sources',
    'update source_state set leased_until = $2 where holder = $1 returning source',
    [holder, leasedUntil],
  )
  return rows.map(({ source }) => source)
}

export interface Taking extends Renewal {
  sources: readonly string[]
  limit: number
}

const TAKING = new GivenValues(['holder', 'at', 'leasedUntil', 'sources', 'limit'])

export async function takeSources(
  db: Database,
  { holder, at, leasedUntil, sources, limit }: Taking,
): Promise<string[]> {
  // A locked row is being written or taken, and so not free.
  const rows = await db.run<{ source: string }>(
    'take-sources',
    `with free as (
       select source from source_state where source = any(${TAKING.the.sources}::text[])
         and (holder is null or leased_until <= ${TAKING.the.at})
         and holder is distinct from ${TAKING.the.holder}
       order by leased_until nulls first, source limit ${TAKING.the.limit} for update skip locked)
     update source_state s set holder = ${TAKING.the.holder}, leased_until = ${TAKING.the.leasedUntil} from free
       where s.source = free.source returning s.source`,
    TAKING.values({ holder, at, leasedUntil, sources, limit }),
  )
  return rows.map(({ source }) => source)
}

/** Another process can take the source at once. */
export async function releaseSource(db: Database, { source, holder }: SourceLease): Promise<void> {
  await db.run(
    'release-source',
    `with freed as (update source_state set holder = null, leased_until = null where source = $1 and holder = $2
        returning source) select pg_notify('${SOURCE_CHANNEL}', source) from freed`,
    [source, holder],
  )
}

export async function announceCollector(db: Database): Promise<void> {
  await db.query(sql`select pg_notify(${SOURCE_CHANNEL}, 'joined')`)
}

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
 * No process takes the source until the transaction ends; throws LeaseLost when one has. Call last but for the cursor,
 * so that the lock is brief.
 */
export async function holdLease(tx: Transaction, lease: SourceLease): Promise<void> {
  const rows = await tx.run(
    'hold-source-lease',
    'select from source_state where source = $1 and holder = $2 for no key update',
    [lease.source, lease.holder],
  )
  if (rows.length === 0) throw new LeaseLost(lease)
}

/** Like `holdLease`, for transactions of one holder that need not wait for each other. */
export async function shareLease(tx: Transaction, lease: SourceLease): Promise<void> {
  const rows = await tx.run(
    'share-source-lease',
    'select from source_state where source = $1 and holder = $2 for key share',
    [lease.source, lease.holder],
  )
  if (rows.length === 0) throw new LeaseLost(lease)
}

/** Only for a process that knows it is the only one. */
export async function releaseAllSources(db: Database): Promise<void> {
  await db.run(
    'release-all-sources',
    'with gone as (delete from collector) update source_state set holder = null, leased_until = null where holder ' +
      'is not null',
    [],
  )
}
