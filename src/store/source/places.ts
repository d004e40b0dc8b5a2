import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction, violatesForeignKey } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'

/** A process waits for due places of a platform here. */
export const PLACE_CHANNEL = 'earshot_place'

export interface DuePlace {
  id: Uuid
  address: string
  host: string
  byOperator: boolean
  namedAt: Date
  cursor: unknown
  emptyPolls: number
  failures: number
}

interface PlaceRow {
  id: Uuid
  address: string
  host: string
  by_operator: boolean
  named_at: Date
  cursor: unknown
  empty_polls: number
  failures: number
}

/** The host that a place is read from, with its port. */
export function hostOfPlace(address: string): string {
  return new URL(address).host
}

/** Makes the operator's places those of these addresses. */
export async function registerPlaces(
  tx: Transaction,
  platform: Platform,
  addresses: readonly string[],
  at: Date,
): Promise<void> {
  const number = platformNumber(platform)
  await tx.query(sql`
    update place set by_operator = false
    where platform = ${number} and by_operator and address <> all(${addresses}::text[])`)
  await tx.query(sql`
    insert into place (id, platform, address, host, by_operator, named_at, due_at)
    select id, ${number}, address, host, true, ${at}, ${at}
    from unnest(${addresses.map(() => newUuid(at))}::uuid[], ${addresses}::text[],
      ${addresses.map(hostOfPlace)}::text[]) as t (id, address, host)
    order by address
    on conflict (platform, address) do update set by_operator = true`)
}

/** Places that neither the operator nor a workspace names; their number. */
export async function dropUnnamedPlaces(db: Pick<Database, 'query'>): Promise<number> {
  const rows = await db.query(sql`
    delete from place p where not p.by_operator
      and not exists (select from workspace_place w where w.place_id = p.id) returning 1`)
  return rows.length
}

/** Zero if a workspace named one of them meanwhile: all stay until the next time. */
export async function prunePlaces(db: Database): Promise<number> {
  try {
    return await dropUnnamedPlaces(db)
  } catch (error) {
    if (!violatesForeignKey(error)) throw error
    return 0
  }
}

/** Longest due first, none of these hosts. */
export async function readDuePlaces(
  db: Database,
  { platform, at, except, limit }: { platform: Platform; at: Date; except: readonly string[]; limit: number },
): Promise<DuePlace[]> {
  const rows = await db.run<PlaceRow>(
    'due-places',
    `select id, address, host, by_operator, named_at, cursor, empty_polls, failures from place
     where platform = $1 and due_at <= $2 and host <> all($3::text[]) order by due_at limit $4`,
    [platformNumber(platform), at, except, limit],
  )
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    host: row.host,
    byOperator: row.by_operator,
    namedAt: row.named_at,
    cursor: row.cursor,
    emptyPolls: row.empty_polls,
    failures: row.failures,
  }))
}

export async function readNextDuePlace(
  db: Database,
  platform: Platform,
  except: readonly string[],
): Promise<Date | null> {
  const [row] = await db.run<{ due_at: Date }>(
    'next-due-place',
    'select due_at from place where platform = $1 and host <> all($2::text[]) order by due_at limit 1',
    [platformNumber(platform), except],
  )
  return row?.due_at ?? null
}

export interface PolledPlace {
  id: Uuid
  polledAt: Date
  dueAt: Date
  /** Null leaves what is stored, as after a fault or an unchanged reply. */
  cursor: unknown
  title: string | null
  found: boolean
  /** Null after a success. */
  error: string | null
}

const POLLED = new GivenRows<PolledPlace>({
  id: given.uuid(({ id }) => id),
  polled_at: given.instant(({ polledAt }) => polledAt),
  due_at: given.instant(({ dueAt }) => dueAt),
  cursor: given.json(({ cursor }) => cursor),
  title: given.text(({ title }) => title),
  found: given.boolean(({ found }) => found),
  error: given.text(({ error }) => error),
})

/** In the transaction that stored the posts. A place that was dropped meanwhile is left out. */
export async function notePolledPlaces(tx: Transaction, polled: readonly PolledPlace[]): Promise<void> {
  await tx.run(
    'note-polled-places',
    `update place p set last_polled_at = t.polled_at, due_at = t.due_at, cursor = coalesce(t.cursor, p.cursor),
       title = coalesce(t.title, p.title), last_error = t.error,
       last_success_at = case when t.error is null then t.polled_at else p.last_success_at end,
       last_found_at = case when t.found then t.polled_at else p.last_found_at end,
       empty_polls = case when t.error is not null then p.empty_polls when t.found then 0
         else least(p.empty_polls + 1, 100) end,
       failures = case when t.error is null then 0 else least(p.failures + 1, 100) end
     from ${POLLED.unnested} where p.id = t.id`,
    POLLED.values(polled),
  )
}

/** Nothing of the host is due before `until`. */
export async function restHost(
  tx: Transaction,
  platform: Platform,
  { host, until }: { host: string; until: Date },
): Promise<void> {
  await tx.run(
    'rest-host-of-places',
    'update place set due_at = greatest(due_at, $1) where platform = $2 and host = $3',
    [until, platformNumber(platform), host],
  )
}

/** Whether more than half of the platform's places failed at their last poll. */
export async function isMostlyFailing(reader: Reader, platform: Platform): Promise<boolean> {
  const [row] = await reader.query<{ failing: boolean | null }>(sql`
    select 2 * count(*) filter (where failures > 0) > count(*) as failing from place
    where platform = ${platformNumber(platform)} and last_polled_at is not null`)
  return row?.failing ?? false
}
