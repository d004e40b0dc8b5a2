import type { Uuid } from '../../kernel/ids.ts'
import { KEYWORD_KINDS, type KeywordKind } from '../keyword/keyword.ts'
import { INTENTS, type Intent } from '../mention/classification.ts'
import type { Platform } from '../platform/platforms.ts'

/** Lengths in characters. */
export const PERSON_LIMITS = { tags: 20, tag: 40, notes: 4000, accounts: 50 } as const

/** With more mentions, removed posts do not correct first and last seen. */
export const SEEN_AGAIN_MAX = 1000

/** Lengths in characters. */
export const SEGMENT_LIMITS = { perWorkspace: 100, name: 80, description: 500 } as const

export interface Annotations {
  tags: string[]
  notes: string
  /** Hides the person's mentions and stops their deliveries. */
  muted: boolean
}

/** Unknown values fail. */
export interface PeopleFilter {
  /** Each word is a prefix in a name or handle. */
  q?: string | undefined
  platforms?: Platform[] | undefined
  notPlatforms?: Platform[] | undefined
  tags?: string[] | undefined
  notTags?: string[] | undefined
  muted?: boolean | undefined
  minFollowers?: number | undefined
  maxFollowers?: number | undefined
  minMentions?: number | undefined
  minNegative?: number | undefined
  intents?: Intent[] | undefined
  keywordKinds?: KeywordKind[] | undefined
  /** ISO 8601. */
  since?: string | undefined
}

/** Merges two people. The merged notes may exceed their limit. */
export function uniteAnnotations(into: Annotations, from: Annotations): Annotations {
  const tags = [...new Set([...into.tags, ...from.tags])].slice(0, PERSON_LIMITS.tags)
  const notes = [...new Set([into.notes, from.notes])].filter((text) => text !== '').join('\n\n')
  return { tags, notes, muted: into.muted || from.muted }
}

export interface AccountChange {
  workspaceId: Uuid
  accountId: Uuid
  /** Null when only a verdict or keyword kind changed. */
  postId: Uuid | null
  platform: Platform | null
  seenAt: Date | null
  kind: KeywordKind | null
  mentions: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  /** One bit each, counted `mentions` times. */
  intents: number
}

export interface AccountSum {
  workspaceId: Uuid
  accountId: Uuid
  platform: Platform | null
  /** The newest added post and the oldest time; null without added posts. */
  newest: { postId: Uuid; at: Date } | null
  oldestAt: Date | null
  /** A post was removed. */
  shrank: boolean
  mentions: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  /** In the order of INTENTS. */
  intentCounts: number[]
  /** In the order of KEYWORD_KINDS. */
  kindCounts: number[]
}

/** Their order does not matter. */
export function sumChanges(changes: readonly AccountChange[]): AccountSum[] {
  const sums = new Map<Uuid, AccountSum>()
  for (const change of changes) {
    // Ids derive from the workspace, so two workspaces never collide.
    const sum = sums.get(change.accountId) ?? emptySum(change)
    sums.set(change.accountId, sum)
    add(sum, change)
  }
  return [...sums.values()]
}

function emptySum({ workspaceId, accountId }: AccountChange): AccountSum {
  return {
    workspaceId,
    accountId,
    platform: null,
    newest: null,
    oldestAt: null,
    shrank: false,
    mentions: 0,
    relevant: 0,
    positive: 0,
    neutral: 0,
    negative: 0,
    intentCounts: INTENTS.map(() => 0),
    kindCounts: KEYWORD_KINDS.map(() => 0),
  }
}

function add(sum: AccountSum, change: AccountChange): void {
  sum.platform ??= change.platform
  sum.mentions += change.mentions
  sum.relevant += change.relevant
  sum.positive += change.positive
  sum.neutral += change.neutral
  sum.negative += change.negative
  if (change.kind !== null) sum.kindCounts[KEYWORD_KINDS.indexOf(change.kind)]! += change.mentions
  for (const at of INTENTS.keys()) if ((change.intents & (1 << at)) !== 0) sum.intentCounts[at]! += change.mentions
  const { postId, seenAt } = change
  if (postId === null || seenAt === null) return
  if (change.mentions < 0) {
    sum.shrank = true
    return
  }
  if (
    sum.newest === null ||
    seenAt > sum.newest.at ||
    (seenAt.getTime() === sum.newest.at.getTime() && postId > sum.newest.postId)
  )
    sum.newest = { postId, at: seenAt }
  if (sum.oldestAt === null || seenAt < sum.oldestAt) sum.oldestAt = seenAt
}
