import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import { type DigestRun, digestWindow, later } from '../../domain/delivery/due-digest.ts'
import { filterOfRule, RELEVANT_ONLY_KINDS } from '../../domain/filter/rule-filter.ts'
import { RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { digestContents, matchedSince } from '../../queries/alerts/digest-contents.ts'
import type { StoredAlert } from '../../store/alert/alerts.ts'
import {
  holdChannelsInUse,
  type NewDigest,
  readDigestProgress,
  readSentDigest,
  writeDigestProgress,
  writeDigests,
} from '../../store/alert/digests.ts'
import type { Transaction } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { coveredIfCounted, coverWaiting } from './with-digest.ts'

export interface MadeDigest {
  /** `empty` where the rule skips empty digests. */
  skipped: 'already_sent' | 'empty' | null
  matched: number
  relevant: number
  /** By enabled channel; null where that channel has nothing to report. */
  deliveries: Map<Uuid, Uuid | null>
}

/**
 * Stores the digest of a run for each enabled channel. The caller's transaction holds the rule, so each period has one.
 * Covers scores before `to`; attempts start at `dueAt`. Null when no channel is enabled, so that it can be made later.
 */
export async function makeDigest(
  tx: Transaction,
  { clock }: Pick<Services, 'clock'>,
  alert: StoredAlert,
  { period, to, dueAt }: Pick<DigestRun, 'period'> & { to: Date; dueAt: Date },
): Promise<MadeDigest | null> {
  const { workspaceId, id } = alert
  const sent = await readSentDigest(tx, workspaceId, id, period.name)
  if (sent !== null) return { ...sent, skipped: 'already_sent', deliveries: new Map() }
  const channels = await holdChannelsInUse(tx, workspaceId, alert.channelIds)
  if (channels.size === 0) return null
  const { digests, counted } = await tellOnce(tx, { workspaceId, clock }, alert, channels, { period, to })
  const { matched, relevant } = digests.get(floorOf(alert))!.counts
  const at = clock.now()
  const written = alert.channelIds.flatMap((channelId): NewDigest[] => {
    const kind = channels.get(channelId)
    const data = kind && digests.get(floorOf(alert, kind))!
    if (data === undefined || (skipsEmpty(alert) && isEmpty(data))) return []
    const { event } = alert
    const { name, mode } = period
    return [{ workspaceId, deliveryId: newUuid(at), channelId, alertId: id, event, mode, period: name, dueAt, data }]
  })
  await writeDigests(tx, written, at)
  for (const digest of written) {
    const kind = channels.get(digest.channelId)!
    await coverWaiting(tx, digest, kind, counted.get(floorOf(alert, kind)) ?? [])
  }
  const made = new Map(written.map(({ channelId, deliveryId }) => [channelId, deliveryId]))
  const deliveries = new Map([...channels.keys()].map((channelId) => [channelId, made.get(channelId) ?? null]))
  return { skipped: written.length === 0 ? 'empty' : null, matched, relevant, deliveries }
}

/** Counts the mentions by minimum relevance, and marks them as reported. */
async function tellOnce(
  tx: Transaction,
  { workspaceId, clock }: { workspaceId: Uuid; clock: Services['clock'] },
  alert: StoredAlert,
  channels: ReadonlyMap<Uuid, ChannelKind>,
  { period, to }: Pick<DigestRun, 'period'> & { to: Date },
): Promise<Pick<Awaited<ReturnType<typeof digestContents>>, 'digests' | 'counted'>> {
  const progress = await readDigestProgress(tx, workspaceId, alert.id)
  if (progress === null) throw new Error('a rule that sends digests has never begun to')
  const window = digestWindow(to, progress)
  const reading = { db: tx, workspaceId, clock }
  const floors = [...new Set([floorOf(alert), ...[...channels.values()].map((kind) => floorOf(alert, kind))])]
  const { mode, timezone } = period
  const { digests, counted, toldLast } = await digestContents(reading, {
    mode,
    timezone,
    filter: alert.filter,
    window,
    toldLast: progress.toldLast,
    floors,
    among: await coveredIfCounted(tx, workspaceId, channels, mode),
  })
  const toldUntil = later(progress.toldUntil, window.to)
  await writeDigestProgress(tx, workspaceId, alert.id, {
    begunAt: progress.begunAt,
    toldUntil,
    matchedSince: await matchedSince(reading, window.matchedFrom, toldUntil),
    toldLast,
  })
  return { digests, counted }
}

/** The minimum relevance for channels of this kind, or of the rule itself. */
function floorOf({ filter }: StoredAlert, kind?: ChannelKind): number {
  const own = Number(filterOfRule(filter).minRelevance)
  return kind !== undefined && RELEVANT_ONLY_KINDS.includes(kind) ? Math.max(own, RELEVANCE_THRESHOLD) : own
}

/** Hourly rules have no schedule. */
function skipsEmpty({ schedule }: StoredAlert): boolean {
  return schedule === null || schedule.skipEmpty
}

function isEmpty({ counts }: Digest): boolean {
  return counts.relevant === 0
}
