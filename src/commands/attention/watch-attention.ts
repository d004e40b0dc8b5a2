import {
  type AttentionWindow,
  eventDataOf,
  type Finding,
  planAttention,
  subjectOf,
} from '../../domain/attention/findings.ts'
import { ATTENTION_RULES, isAttentionEvent } from '../../domain/attention/kinds.ts'
import { isNegativeSpike, isSpike } from '../../domain/attention/spikes.ts'
import { isNoisy } from '../../domain/keyword/health.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { beginCheck, endCheck, holdCheck, isDue, nextWorkspaces, readCheck } from '../../store/attention/checks.ts'
import { readFailing } from '../../store/attention/failing-channels.ts'
import {
  COUNTED_HOURS,
  countHours,
  type KeywordBaselines,
  readBaselines,
  readRecent,
  tidyHours,
} from '../../store/attention/hourly-counts.ts'
import { openItems, readLasting, resolveItems } from '../../store/attention/items.ts'
import { readJudged } from '../../store/attention/judged-keywords.ts'
import type { Transaction } from '../../store/database.ts'
import { BEFORE_ALL } from '../../store/delivery/prune-deliveries.ts'
import { readWaiting } from '../../store/delivery/waiting-room.ts'
import { withoutFrozen } from '../../store/frozen/frozen.ts'
import { recordAccountEvents } from '../../store/workspace/account-events.ts'
import type { Services } from '../writing.ts'
import { fillingDisk, renewFilling } from './filling-disk.ts'

/** Workspaces in one transaction. */
const PORTION = 200
/** Wait after a full hour, by which its last matches have scores. */
const SETTLING_MS = 2 * MINUTE_MS

/** Hours in one transaction, so that a first check, or one after a long pause, is not one endless statement. */
const SLICE_HOURS = 6

/**
 * Checks each full hour once: opens items with their events, and ends items whose condition has ended. Safe to call at
 * any time, concurrently, and with clocks that differ. A failing workspace is logged and retried with the next hour.
 * Returns how many items opened or ended.
 */
export async function watchAttention(services: Services): Promise<number> {
  const { db, clock } = services
  const until = lastFullHour(clock.now())
  if (!isDue(await readCheck(db, until), until)) return 0
  const last = await db.transaction((tx) => beginCheck(tx, until, clock.now()))
  if (last === null) return 0
  const span = { from: countedFrom(until, last.until), until, collectingSince: last.collectingSince }
  let changed = 0
  for (
    let ids = await nextWorkspaces(db, BEFORE_ALL, PORTION);
    ids.length > 0;
    ids = await nextWorkspaces(db, ids.at(-1)!, PORTION)
  )
    changed += await checkEach(services, ids, span)
  await db.transaction((tx) => endCheck(tx, until))
  return changed
}

interface Span extends AttentionWindow {
  collectingSince: Date | null
}

function lastFullHour(at: Date): Date {
  return new Date(Math.floor((at.getTime() - SETTLING_MS) / HOUR_MS) * HOUR_MS)
}

/** Counts the last day anew, and all hours since the last check. The first check counts all hours that matter. */
function countedFrom(until: Date, checkedUntil: Date | null): Date {
  const all = plus(until, -COUNTED_HOURS * HOUR_MS)
  if (checkedUntil === null) return all
  const day = plus(checkedUntil, -ATTENTION_RULES.negativeSpike.windowHours * HOUR_MS)
  return new Date(Math.max(day.getTime(), all.getTime()))
}

/** After a failure each half is tried alone, so that one workspace does not fail the others. */
async function checkEach(services: Services, ids: readonly Uuid[], span: Span): Promise<number> {
  try {
    return await checkTogether(services, ids, span)
  } catch (error) {
    // Throws when the database is down, so that the whole check is repeated.
    await readCheck(services.db, span.until)
    if (ids.length === 1) {
      services.log.error(
        { event: 'attention.check_failed', err: error, workspace: ids[0] },
        'The attention check of a workspace failed; will retry next hour',
      )
      return 0
    }
    services.log.warn(
      { event: 'attention.batch_failed', err: error, workspaces: ids.length },
      'The attention check of several workspaces failed; retrying in halves',
    )
    return await checkHalves(services, ids, span)
  }
}

async function checkHalves(services: Services, ids: readonly Uuid[], span: Span): Promise<number> {
  const half = Math.ceil(ids.length / 2)
  return (await checkEach(services, ids.slice(0, half), span)) + (await checkEach(services, ids.slice(half), span))
}

async function checkTogether(services: Services, ids: readonly Uuid[], span: Span): Promise<number> {
  const { db } = services
  for (const slice of slicesOf(span))
    await db.transaction(async (tx) => {
      if (await holdCheck(tx, span.until)) await countHours(tx, ids, slice)
    })
  return await db.transaction(async (tx) =>
    (await holdCheck(tx, span.until)) ? await judge(tx, services, await withoutFrozen(tx, ids), span) : 0,
  )
}

function slicesOf({ from, until }: AttentionWindow): AttentionWindow[] {
  const count = Math.ceil((until.getTime() - from.getTime()) / (SLICE_HOURS * HOUR_MS))
  const start = (slice: number) => plus(from, slice * SLICE_HOURS * HOUR_MS)
  return Array.from({ length: count }, (_, slice) => ({
    from: start(slice),
    until: slice + 1 < count ? start(slice + 1) : until,
  }))
}

async function judge(
  tx: Transaction,
  { clock, publicUrl }: Services,
  workspaceIds: readonly Uuid[],
  span: Span,
): Promise<number> {
  const at = clock.now()
  const lasting = await readLasting(tx, workspaceIds)
  const filling = await fillingDisk(tx, workspaceIds, lasting, at)
  const found = [...(await findAll(tx, workspaceIds, span, at)), ...filling]
  await tidyHours(tx, workspaceIds, span.until)
  const { opens, ends } = planAttention(lasting, found)
  await resolveItems(tx, ends, at)
  await renewFilling(tx, lasting, filling, publicUrl)
  const items = opens.map((finding) => {
    const id = newUuid(at)
    return {
      workspaceId: finding.workspaceId,
      id,
      kind: finding.kind,
      subjectId: subjectOf(finding),
      data: eventDataOf(finding, id, publicUrl),
    }
  })
  await openItems(tx, items, at)
  await recordAccountEvents(
    tx,
    items.flatMap(({ workspaceId, kind, data }) =>
      isAttentionEvent(kind) ? [{ workspaceId, event: kind, at, data }] : [],
    ),
  )
  return opens.length + ends.length
}

async function findAll(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  { until, collectingSince }: Span,
  at: Date,
): Promise<Finding[]> {
  const keywords = await readBaselines(tx, await readRecent(tx, workspaceIds, until), until, collectingSince)
  const judged = await readJudged(tx, workspaceIds, at)
  const failing = await readFailing(tx, workspaceIds, at)
  const waiting = await readWaiting(tx, workspaceIds)
  return [
    ...keywords.flatMap((keyword) => spikesOf(keyword, until)),
    ...judged.filter(isNoisy).map((keyword): Finding => ({ kind: 'keyword.noisy', ...keyword })),
    ...failing.map((channel): Finding => ({ kind: 'channel.failing', ...channel })),
    ...waiting.map((deliveries): Finding => ({ kind: 'deliveries.waiting', ...deliveries })),
  ]
}

function spikesOf(
  { workspaceId, keyword, fresh, freshRelevant, day, hourly, sentiment }: KeywordBaselines,
  until: Date,
): Finding[] {
  const windowOf = (hours: number) => ({ from: plus(until, -hours * HOUR_MS), until })
  const found: Finding[] = []
  if (isSpike(fresh, hourly))
    found.push({
      workspaceId,
      kind: 'mention.spike',
      keyword,
      window: windowOf(1),
      matches: fresh,
      relevant: freshRelevant,
      baseline: hourly,
    })
  if (isNegativeSpike(day, sentiment)) {
    const window = windowOf(ATTENTION_RULES.negativeSpike.windowHours)
    found.push({ workspaceId, kind: 'sentiment.negative_spike', keyword, window, now: day, before: sentiment })
  }
  return found
}
