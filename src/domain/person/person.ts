import type { Uuid } from '../../kernel/ids.ts'
import { KEYWORD_KINDS, type KeywordKind } from '../keyword/keyword.ts'
import { INTENTS, type Intent } from '../mention/classification.ts'
import type { Platform } from '../platform/platforms.ts'

/** Limits of what a team says of a person, and of what belongs to one; lengths in characters. */
export const PERSON_LIMITS = { tags: 20, tag: 40, notes: 4000, accounts: 50 } as const

/**
 * When posts are removed, somebody with at most so many mentions was seen when the others were published; with more,
 * the times stay.
 */
export const SEEN_AGAIN_MAX = 1000

/** Limits of a segment and of a workspace's segments; lengths in characters. */
export const SEGMENT_LIMITS = { perWorkspace: 100, name: 80, description: 500 } as const

/** What a team says of a person. */
export interface Annotations {
  tags: string[]
  notes: string
  /** True hides the person's mentions and keeps them from being sent. */
  muted: boolean
}

/** Which people are wanted: all conditions must hold. What is unknown of somebody does not meet a bound. */
export interface PeopleFilter {
  /** Words of which each begins a word of a name or handle. */
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
  /** Seen since this instant, ISO 8601. */
  since?: string | undefined
}

/**
 * What becomes of two people who are one: the tags of both, as many as there is room for, both notes, and the mute of
 * either. The notes may be longer than a person's may be.
 */
export function uniteAnnotations(into: Annotations, from: Annotations): Annotations {
  const tags = [...new Set([...into.tags, ...from.tags])].slice(0, PERSON_LIMITS.tags)
  const notes = [...new Set([into.notes, from.notes])].filter((text) => text !== '').join('\n\n')
  return { tags, notes, muted: into.muted || from.muted }
}

/** What one thing that happened to a mention adds to the counts of its author's account. */
export interface AccountChange {
  workspaceId: Uuid
  accountId: Uuid
  /** The post that came or went; null where only a verdict or the kind of a keyword is another now. */
  postId: Uuid | null
  platform: Platform | null
  /** When that post was published. */
  seenAt: Date | null
  kind: KeywordKind | null
  mentions: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  /** A bit for each intent, which counts as often as the mentions. */
  intents: number
}

/** What several changes add to the counts of one account. */
export interface AccountSum {
  workspaceId: Uuid
  accountId: Uuid
  platform: Platform | null
  /** The newest post that came, and when it and the oldest were published; null where none came. */
  newest: { postId: Uuid; at: Date } | null
  oldestAt: Date | null
  /** Whether a post went. */
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

/** Adds changes up, an account at a time. Their order does not matter. */
export function sumChanges(changes: readonly AccountChange[]): AccountSum[] {
  const sums = new Map<Uuid, AccountSum>()
  for (const change of changes) {
    // The id is made from the workspace too, so that no other workspace has an account of this id.
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
