import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

/** Seconds that half and 95 % of the times stay within, and how many times they are of. */
export interface Percentiles {
  medianSeconds: number
  p95Seconds: number
  count: number
}

export interface Latency {
  /** From the publication of a post until its mention was stored; null where nothing was measured. */
  postToMention: Percentiles | null
  /** From storing a mention until a receiver accepted it; null where nothing was measured. */
  mentionToDelivery: Percentiles | null
}

export const NO_LATENCY: Latency = { postToMention: null, mentionToDelivery: null }

export const LATENCY_WINDOW_MS = HOUR_MS
/** The newest mentions, and the newest deliveries, that are looked at. */
export const LATENCY_SAMPLES_MAX = 2000

/** Latencies of a workspace in the last hour by platform, from two ranges of primary keys. */
export async function readLatencies(
  { db, clock, workspaceId }: Pick<QueryContext, 'db' | 'clock' | 'workspaceId'>,
  samplesMax = LATENCY_SAMPLES_MAX,
): Promise<Map<Platform, Latency>> {
  const first = firstUuidAt(plus(clock.now(), -LATENCY_WINDOW_MS))
  const newest = sql`where workspace_id = ${workspaceId} and id >= ${first} order by id desc limit ${samplesMax}`
  // Posts from before their keyword collected come with the first look back, which is not late.
  const rows = await db.query<Measured>(sql`
    with recent as materialized (select platform, keyword_id, created_at, published_at from mention ${newest}),
      sent as materialized (select mention_id, sent_at, kind, status, replay_of from delivery ${newest})
    select 'postToMention' as step, recent.platform, ${percentilesOf(sql`recent.created_at - recent.published_at`)}
    from recent join keyword k on k.workspace_id = ${workspaceId} and k.id = recent.keyword_id
    where recent.published_at >= coalesce(k.collects_since, k.created_at) group by recent.platform
    union all
    select 'mentionToDelivery', m.platform, ${percentilesOf(sql`sent.sent_at - m.created_at`)}
    from sent join mention m on m.workspace_id = ${workspaceId} and m.id = sent.mention_id and m.id >= ${first}
    where sent.kind = 'mention' and sent.replay_of is null and sent.status = 'delivered' group by m.platform`)
  const latencies = new Map<Platform, Latency>()
  for (const { step, platform, seconds, count } of rows) {
    const name = platformFromNumber(platform)
    const latency = latencies.get(name) ?? NO_LATENCY
    latencies.set(name, { ...latency, [step]: { medianSeconds: seconds[0], p95Seconds: seconds[1], count } })
  }
  return latencies
}

interface Measured {
  step: keyof Latency
  platform: number
  seconds: [number, number]
  count: number
}

/** Clocks of platforms may be ahead of ours, so no time is below zero. */
function percentilesOf(interval: Statement<unknown>): Statement<unknown> {
  return sql`
    percentile_disc(array[0.5, 0.95]) within group (
      order by greatest(0, round(extract(epoch from ${interval}), 3))::float8) as seconds,
    count(*)::int as count`
}
