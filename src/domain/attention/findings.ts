import { toId, type Uuid } from '../../kernel/ids.ts'
import type { ChannelKind } from '../channel/channel-kind.ts'
import { WAITING_DELIVERIES_MAX } from '../channel/room.ts'
import { type KeywordKind, NOISE_RULE } from '../keyword/keyword.ts'
import { type AttentionKind, attentionUrl } from './kinds.ts'
import { type HourlyBaseline, hourlyStatistics, type SentimentCounts, spikeShareOf } from './spikes.ts'

export interface AttentionKeyword {
  id: Uuid
  term: string
  kind: KeywordKind
  groupId: Uuid
  groupName: string
  inDefaultGroup: boolean
}

/** The end is excluded. */
export interface AttentionWindow {
  from: Date
  until: Date
}

export type Finding = { workspaceId: Uuid } & (
  | {
      kind: 'mention.spike'
      keyword: AttentionKeyword
      window: AttentionWindow
      matches: number
      relevant: number
      baseline: HourlyBaseline
    }
  | {
      kind: 'sentiment.negative_spike'
      keyword: AttentionKeyword
      window: AttentionWindow
      now: SentimentCounts
      before: SentimentCounts
    }
  | { kind: 'keyword.noisy'; keyword: AttentionKeyword; scored: number; relevant: number }
  | {
      kind: 'channel.failing'
      channel: { id: Uuid; kind: ChannelKind; label: string }
      failures: number
      lastError: string | null
      since: Date
    }
  | { kind: 'deliveries.waiting'; held: number; since: Date }
  | { kind: 'disk.filling'; daysLeft: number; freeBytes: number; bytesPerDay: number }
)

export function subjectOf(finding: Finding): Uuid {
  if ('keyword' in finding) return finding.keyword.id
  return 'channel' in finding ? finding.channel.id : finding.workspaceId
}

export function eventDataOf(finding: Finding, itemId: Uuid, publicUrl: string): Record<string, unknown> {
  const attentionId = toId('att', itemId)
  return { attentionId, url: attentionUrl(publicUrl, attentionId), ...toldOf(finding) }
}

function toldOf(finding: Finding): Record<string, unknown> {
  switch (finding.kind) {
    case 'mention.spike': {
      const { keyword, window, matches, relevant, baseline } = finding
      return {
        keyword: keywordTold(keyword),
        window: windowTold(window),
        matches,
        relevant,
        baseline: hourlyStatistics(baseline),
      }
    }
    case 'sentiment.negative_spike': {
      const { keyword, window, now, before } = finding
      return {
        keyword: keywordTold(keyword),
        window: windowTold(window),
        ...sentimentTold(now),
        baseline: sentimentTold(before),
      }
    }
    case 'keyword.noisy': {
      const { keyword, scored, relevant } = finding
      return {
        keyword: keywordTold(keyword),
        windowDays: NOISE_RULE.windowDays,
        scored,
        relevant,
        noiseShare: spikeShareOf(scored - relevant, scored),
      }
    }
    case 'channel.failing': {
      const { channel, failures, lastError, since } = finding
      return {
        channel: { id: toId('dest', channel.id), kind: channel.kind, label: channel.label },
        failures,
        lastError,
        since: since.toISOString(),
      }
    }
    case 'deliveries.waiting':
      return { held: finding.held, waitingLimit: WAITING_DELIVERIES_MAX, since: finding.since.toISOString() }
    case 'disk.filling': {
      const { daysLeft, freeBytes, bytesPerDay } = finding
      return { daysLeft, freeBytes, bytesPerDay }
    }
  }
}

function keywordTold({ id, term, kind, groupId, groupName, inDefaultGroup }: AttentionKeyword) {
  return {
    id: toId('kw', id),
    term,
    kind,
    name: inDefaultGroup ? term : `${term} (${groupName})`,
    groupId: toId('grp', groupId),
  }
}

function windowTold({ from, until }: AttentionWindow) {
  return { from: from.toISOString(), to: until.toISOString() }
}

function sentimentTold({ negative, relevant }: SentimentCounts) {
  return { negative, relevant, share: spikeShareOf(negative, relevant) }
}

export interface AttentionPlan<Lasting> {
  opens: Finding[]
  ends: Lasting[]
}

/**
 * Opens an item for each finding without one, dismissed items included, and ends items no longer found. `lasting` are
 * the unresolved items.
 */
export function planAttention<Lasting extends { kind: AttentionKind; subjectId: Uuid }>(
  lasting: readonly Lasting[],
  findings: readonly Finding[],
): AttentionPlan<Lasting> {
  const keyOf = (kind: AttentionKind, subjectId: Uuid) => `${kind} ${subjectId}`
  const known = new Set(lasting.map(({ kind, subjectId }) => keyOf(kind, subjectId)))
  const found = new Set(findings.map((finding) => keyOf(finding.kind, subjectOf(finding))))
  return {
    opens: findings.filter((finding) => !known.has(keyOf(finding.kind, subjectOf(finding)))),
    ends: lasting.filter(({ kind, subjectId }) => !found.has(keyOf(kind, subjectId))),
  }
}
