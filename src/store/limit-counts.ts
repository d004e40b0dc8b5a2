import { plus } from '../kernel/clock.ts'
import { type Database, type Reader, sql } from './database.ts'
import { DELETE_BATCH, deleteInBatches } from './delete-in-batches.ts'

export interface LimitCount {
  /** SHA-256 of the limit and of whom it counts. */
  key: Buffer
  /** Grants in any span of `windowMs`. */
  limit: number
  windowMs: number
  at: Date
}

/**
 * Grants one more if the limit allows it. Returns the times of all grants that count; a refusal writes nothing, and may
 * return none when another process has just taken the last one.
 */
export async function countLimit(
  db: Database,
  { key, limit, windowMs, at }: LimitCount,
): Promise<{ granted: boolean; grantedAt: Date[] }> {
  const [row] = await db.run<{ granted: boolean; granted_at: Date[] }>(
    'count-limit',
    `with counted as (
       insert into limit_count as c (key, granted_at, ends_at) values ($1, array[$2::timestamptz], $3)
       on conflict (key) do update set ends_at = greatest(c.ends_at, excluded.ends_at),
         granted_at = array(select g from unnest(c.granted_at) g where g > $4) || excluded.granted_at
       where (select count(*) from unnest(c.granted_at) g where g > $4) < $5
       returning granted_at)
     select true as granted, granted_at from counted
     union all
     select false, array(select g from unnest(granted_at) g where g > $4) from limit_count
       where key = $1 and not exists (select from counted)`,
    [key, at, plus(at, windowMs), plus(at, -windowMs), limit],
  )
  return { granted: row?.granted ?? false, grantedAt: row?.granted_at ?? [] }
}

/** Removes one grant of that time, if it still counts. */
export async function uncountLimit(db: Database, key: Buffer, grantedAt: Date): Promise<void> {
  await db.run(
    'uncount-limit',
    `update limit_count set granted_at = granted_at[:array_position(granted_at, $2) - 1]
       || granted_at[array_position(granted_at, $2) + 1:] where key = $1 and $2 = any(granted_at)`,
    [key, grantedAt],
  )
}

/** Deletes rows whose grants have all expired. */
export function forgetLimitCounts(db: Database, at: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`delete from limit_count where key in (select key from limit_count where ends_at <= ${at}
      limit ${DELETE_BATCH} for update skip locked) returning 1`,
  )
}

/** Carries the counts that `api` processes exchange. */
export const LIMITS_CHANNEL = 'earshot_limits'
/** The longest payload that the server takes. */
export const NOTIFICATION_BYTES = 7999

/** All in one transaction, in their order. */
export async function notifyLimits(db: Reader, payloads: readonly string[]): Promise<void> {
  await db.run('notify-limits', `select pg_notify('${LIMITS_CHANNEL}', payload) from unnest($1::text[]) payload`, [
    payloads,
  ])
}
