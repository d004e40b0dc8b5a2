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

/** What became of the digest of a run. */
export interface MadeDigest {
  /**
   * Why nothing was written down: the rule has sent the digest of this period, or there is nothing to tell and it is
   * not to say so.
   */
  skipped: 'already_sent' | 'empty' | null
  matched: number
  relevant: number
  /** For each channel that is switched on; null where there is nothing to tell it. */
  deliveries: Map<Uuid, Uuid | null>
}

/**
 * Writes the digest of a run down for each channel of the rule that is switched on, in the caller's transaction, which
 * holds the rule: so each period is made once, whoever comes. It tells what was scored before `to`; the time for its
 * attempts begins at `dueAt`. Null when no channel of the rule is switched on: the digest is then not made, and can be
 * later.
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
  // Whoever has no channel to tell it through has not told it.
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

/** What the run has to tell, for each least relevance that is asked for; what is told here is not told again. */
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

/** The least relevance of what a rule sends through channels of a kind; of the rule itself where none is given. */
function floorOf({ filter }: StoredAlert, kind?: ChannelKind): number {
  const own = Number(filterOfRule(filter).minRelevance)
  return kind !== undefined && RELEVANT_ONLY_KINDS.includes(kind) ? Math.max(own, RELEVANCE_THRESHOLD) : own
}

/** Hourly rules have no schedule to say otherwise. */
function skipsEmpty({ schedule }: StoredAlert): boolean {
  return schedule === null || schedule.skipEmpty
}

function isEmpty({ counts }: Digest): boolean {
  return counts.relevant === 0
}
