import { toId } from '../../src/kernel/ids.ts'
import { quantilesOf } from '../quantiles.ts'
import { type Disturbed, type Evidence, LATE_MS, type Receipts, type StoredMention } from './records.ts'

export interface Latency {
  mentions: number
  visibleMs: { p50: number; p99: number }
  receivedMs: { p50: number; p99: number }
}

/** Left out of the undisturbed time after a disturbance has been caught up with. */
const CALM_MS = 3000
const WARM_UP_MS = 5000

/** How long the ways of mentions took, between the disturbances and after each. */
export function latencies(
  { disturbances, seeded }: Evidence,
  mentions: readonly StoredMention[],
  receipts: Receipts,
  timesMs: Float64Array,
) {
  const firstReceived = firstReceivedOf(receipts)
  const known = new Set(seeded.keywordIds)
  const ways = mentions.flatMap(({ keywordId, mentionId, post, visibleMs }): Way[] =>
    known.has(keywordId)
      ? [{ postedMs: timesMs[post]!, visibleMs, receivedMs: firstReceived.get(toId('mtn', mentionId)) ?? null }]
      : [],
  )
  const catchUps = disturbances.map((disturbance, at) =>
    catchUpOf(disturbance, disturbances[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY, ways),
  )
  const disturbed = disturbances.map(({ fromMs }, at) => ({
    fromMs: fromMs - CALM_MS,
    toMs: fromMs + Math.max(catchUps[at]!.catchUpMs, CALM_MS) + CALM_MS,
  }))
  const began = timesMs.find((ms) => ms > 0) ?? 0
  const calm = ways.filter(
    ({ postedMs }) =>
      postedMs > began + WARM_UP_MS && disturbed.every(({ fromMs, toMs }) => postedMs < fromMs || postedMs > toMs),
  )
  return { undisturbed: latencyOf(calm), catchUps }
}

/** From the post to its mention, and on to a hook; `receivedMs` is null where no hook has it. */
interface Way {
  postedMs: number
  visibleMs: number
  receivedMs: number | null
}

function firstReceivedOf(receipts: Receipts): Map<string, number> {
  const first = new Map<string, number>()
  for (const { mentionId, atMs } of receipts.values())
    first.set(mentionId, Math.min(first.get(mentionId) ?? Number.POSITIVE_INFINITY, ...atMs))
  return first
}

function catchUpOf({ what, fromMs, toMs }: Disturbed, nextMs: number, ways: readonly Way[]) {
  const delays = ways
    .map(({ postedMs, visibleMs, receivedMs }) => ({ postedMs, arrivedMs: Math.max(visibleMs, receivedMs ?? 0) }))
    .filter(
      ({ postedMs, arrivedMs }) =>
        arrivedMs > fromMs && postedMs < nextMs && postedMs > fromMs - LATE_MS * 10 && arrivedMs - postedMs > LATE_MS,
    )
  const untilMs = caughtUpAt(fromMs, delays)
  const own = delays.filter(({ postedMs }) => postedMs <= untilMs)
  const slowestMs = maximum(own.map(({ postedMs, arrivedMs }) => arrivedMs - postedMs))
  return { what, outageMs: toMs - fromMs, catchUpMs: untilMs - fromMs, slowestMs, lateMentions: own.length }
}

function latencyOf(ways: readonly Way[]): Latency {
  const received = ways.flatMap(({ postedMs, receivedMs }) => (receivedMs === null ? [] : [receivedMs - postedMs]))
  return {
    mentions: ways.length,
    visibleMs: quantilesOf(ways.map(({ postedMs, visibleMs }) => visibleMs - postedMs)),
    receivedMs: quantilesOf(received),
  }
}

/**
 * So long without a late post means that the disturbance is over: what comes late after that has another reason, and
 * counts as undisturbed.
 */
const OVER_MS = 10_000

/**
 * When everything was in time again after a disturbance: the end of the late ways that follow from it or from each
 * other without a gap.
 */
export function caughtUpAt(fromMs: number, late: readonly { postedMs: number; arrivedMs: number }[]): number {
  let untilMs = fromMs
  for (const { postedMs, arrivedMs } of [...late].sort((a, b) => a.postedMs - b.postedMs)) {
    if (postedMs > untilMs + OVER_MS) break
    untilMs = Math.max(untilMs, arrivedMs)
  }
  return untilMs
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}
