import { SECOND_MS } from '../../kernel/clock.ts'
import type { Database, Transaction } from '../database.ts'

export interface QuotaTake {
  quota: string
  amount: number
  paced: readonly { most: number; perSeconds: number; burst: number }[]
  /** In the quota's own calendar; a null limit only counts. */
  day: string
  dailyMost: number | null
}

export type QuotaAnswer =
  | { granted: true }
  | { granted: false; waitMs: number; reason: 'paced' | 'paused' }
  | { granted: false; spentFor: string }

const PAUSE = { quota: '', perSeconds: 0 } as const

/**
 * Everything or nothing, over all processes. A paced limit is a token bucket that admits a burst and spreads the rest,
 * so that no window of its length exceeds the limit.
 */
export async function takeQuotas(
  db: Database,
  platform: string,
  takes: readonly QuotaTake[],
  at: Date,
): Promise<QuotaAnswer> {
  const paces = [PAUSE, ...takes.flatMap(({ quota, paced }) => paced.map(({ perSeconds }) => ({ quota, perSeconds })))]
  return await db.transaction(async (tx) => {
    const used = await lockPaces(tx, platform, paces, at)
    const pausedMs = (used.get(nameOf(PAUSE.quota, PAUSE.perSeconds)) ?? 0) - at.getTime()
    if (pausedMs > 0) return { granted: false, waitMs: pausedMs, reason: 'paused' } as const
    const spent = await lockDays(tx, platform, takes)
    const exhausted = takes.find(
      ({ quota, amount, dailyMost }) => dailyMost !== null && (spent.get(quota) ?? 0) + amount > dailyMost,
    )
    if (exhausted) return { granted: false, spentFor: exhausted.quota } as const
    const { waitMs, next } = advance(takes, used, at)
    if (waitMs > 0) return { granted: false, waitMs, reason: 'paced' } as const
    await writePaces(tx, platform, next)
    await writeDays(tx, platform, takes)
    return { granted: true } as const
  })
}

/** `amount` may be negative. Ignores past days. */
export async function spendQuota(
  db: Database,
  platform: string,
  { quota, day, amount }: { quota: string; day: string; amount: number },
): Promise<void> {
  await db.run(
    'spend-quota',
    `insert into source_quota as q (platform, quota, day, spent) values ($1, $2, $3::date, greatest($4::bigint, 0))
     on conflict (platform, quota) do update set day = greatest(q.day, excluded.day),
       spent = case when q.day = excluded.day then greatest(0, q.spent + $4::bigint) when q.day > excluded.day then
         q.spent else excluded.spent end`,
    [platform, quota, day, Math.round(amount)],
  )
}

export async function pauseSource(db: Database, platform: string, until: Date): Promise<void> {
  await db.run(
    'pause-source',
    `insert into source_pace as p (platform, quota, per_seconds, used_until) values ($1, $2, $3, $4)
     on conflict (platform, quota, per_seconds) do update set used_until = greatest(p.used_until, excluded.used_until)`,
    [platform, PAUSE.quota, PAUSE.perSeconds, until],
  )
}

function nameOf(quota: string, perSeconds: number): string {
  return `${perSeconds} ${quota}`
}

interface Pace {
  quota: string
  perSeconds: number
}

/** Creates missing rows; locks in one order. */
async function lockPaces(
  tx: Transaction,
  platform: string,
  paces: readonly Pace[],
  at: Date,
): Promise<Map<string, number>> {
  const values = [platform, paces.map(({ quota }) => quota), paces.map(({ perSeconds }) => perSeconds)]
  const lock = () =>
    tx.run<{ quota: string; per_seconds: number; used_until: Date }>(
      'lock-paces',
      `select p.quota, p.per_seconds, p.used_until from source_pace p join unnest($2::text[], $3::int[]) as t (quota,
          per_seconds)
       on p.quota = t.quota and p.per_seconds = t.per_seconds where p.platform = $1
         order by p.quota, p.per_seconds for update of p`,
      values,
    )
  let rows = await lock()
  if (rows.length < paces.length) {
    await tx.run(
      'make-paces',
      `insert into source_pace (platform, quota, per_seconds, used_until) select $1, quota, per_seconds, $4
          from unnest($2::text[], $3::int[]) as t (quota, per_seconds)
       order by quota, per_seconds on conflict do nothing`,
      [...values, at],
    )
    rows = await lock()
  }
  return new Map(rows.map((row) => [nameOf(row.quota, row.per_seconds), row.used_until.getTime()]))
}

/**
 * A later day counts too: another machine's clock is ahead, and its day wins. The row of the pause, locked first
 * everywhere, guards these rows.
 */
async function lockDays(tx: Transaction, platform: string, takes: readonly QuotaTake[]): Promise<Map<string, number>> {
  const rows = await tx.run<{ quota: string; spent: number }>(
    'read-quota-days',
    `select q.quota, case when q.day >= t.day then q.spent else 0 end as spent from source_quota q
     join unnest($2::text[], $3::date[]) as t (quota, day) on q.quota = t.quota where q.platform = $1
       order by q.quota for update of q`,
    [platform, takes.map(({ quota }) => quota), takes.map(({ day }) => day)],
  )
  return new Map(rows.map(({ quota, spent }) => [quota, Number(spent)]))
}

/** Stays free, because the platform counts on arrival, and requests differ in travel time. */
const MARGIN = 0.05
/** A twentieth of a short window is too little on a busy machine. */
const MARGIN_OF_SHORT = 0.2
const MARGIN_OF_SHORT_MOST_MS = 1000

/**
 * A pace is a time: a unit moves it on by its spacing, and it may be ahead of now by the burst. The spacing leaves room
 * for a burst at the end of a window that began without one.
 */
function advance(
  takes: readonly QuotaTake[],
  used: ReadonlyMap<string, number>,
  at: Date,
): { waitMs: number; next: (Pace & { usedUntil: Date })[] } {
  const nowMs = at.getTime()
  let waitMs = 0
  const next: (Pace & { usedUntil: Date })[] = []
  for (const { quota, amount, paced } of takes) {
    for (const { most, perSeconds, burst } of paced) {
      const atOnce = Math.min(most, burst)
      const spacingMs = withMargin(perSeconds * SECOND_MS) / Math.max(1, most - atOnce)
      // A clock that was far ahead must not block the platform until then.
      const knownMs = Math.min(
        used.get(nameOf(quota, perSeconds)) ?? nowMs,
        nowMs + 2 * Math.max(atOnce, amount) * spacingMs,
      )
      // Above the burst, idle time in proportion to the excess.
      const excess = amount - atOnce
      const usedMs = (excess > 0 ? nowMs : Math.max(nowMs, knownMs)) + amount * spacingMs
      waitMs = Math.max(waitMs, excess > 0 ? knownMs + excess * spacingMs - nowMs : usedMs - atOnce * spacingMs - nowMs)
      next.push({ quota, perSeconds, usedUntil: new Date(usedMs) })
    }
  }
  return { waitMs: Math.ceil(waitMs), next }
}

function withMargin(windowMs: number): number {
  return windowMs + Math.max(MARGIN * windowMs, Math.min(MARGIN_OF_SHORT * windowMs, MARGIN_OF_SHORT_MOST_MS))
}

async function writePaces(
  tx: Transaction,
  platform: string,
  next: readonly (Pace & { usedUntil: Date })[],
): Promise<void> {
  if (next.length === 0) return
  await tx.run(
    'write-paces',
    `update source_pace p set used_until = t.used_until
        from unnest($2::text[], $3::int[], $4::timestamptz[]) as t (quota, per_seconds, used_until)
     where p.platform = $1 and p.quota = t.quota and p.per_seconds = t.per_seconds`,
    [
      platform,
      next.map(({ quota }) => quota),
      next.map(({ perSeconds }) => perSeconds),
      next.map(({ usedUntil }) => usedUntil),
    ],
  )
}

async function writeDays(tx: Transaction, platform: string, takes: readonly QuotaTake[]): Promise<void> {
  await tx.run(
    'write-quota-days',
    `insert into source_quota as q (platform, quota, day, spent) select $1, quota, day, amount
        from unnest($2::text[], $3::date[], $4::bigint[]) as t (quota, day, amount) order by quota
     on conflict (platform, quota) do update set day = greatest(q.day, excluded.day), spent = excluded.spent + case
       when q.day >= excluded.day then q.spent else 0 end`,
    [
      platform,
      takes.map(({ quota }) => quota),
      takes.map(({ day }) => day),
      takes.map(({ amount }) => Math.round(amount)),
    ],
  )
}
