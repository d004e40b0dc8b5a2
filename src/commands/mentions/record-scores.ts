import { isBillable, mentionPrice } from '../../domain/mention/billing.ts'
import { isRelevant } from '../../domain/mention/classification.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { dayOf } from '../../kernel/clock.ts'
import { countRelevance } from '../../store/counts/keyword-counts.ts'
import { addToCounters, addToUsage, type CountedScore, columnsOfScores } from '../../store/counts/score-counts.ts'
import type { Transaction } from '../../store/database.ts'
import { throughIndexes } from '../../store/delivery/outbox.ts'
import type { NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import { readRules } from '../../store/delivery/rules.ts'
import { markBlocksStale } from '../../store/filter/mention-blocks.ts'
import { notifyFollowers } from '../../store/follower/followers.ts'
import { brakeNoise } from '../../store/keyword/noise-brake.ts'
import { lockCountersOfScores, writeVerdicts } from '../../store/mention/verdicts.ts'
import type { Score } from '../../store/model/score.ts'
import { readKnownPeople } from '../../store/person/known-people.ts'
import { type Delivering, deliverToRules } from './deliver-to-rules.ts'
import { ruleMatchesOf } from './rule-matches.ts'

export interface ScoringOptions extends Delivering {
  metered: boolean
  /** Exceeded only by a single mention; default 10,000. */
  deliveriesMax?: number
}

export interface Recorded {
  /** The others had a score or are deleted. */
  written: Score[]
  deliveries: NewDelivery[]
  /** For further transactions, because the limit was reached. */
  left: Score[]
}

/** One batch with many rules and channels could make millions of deliveries. */
const DELIVERIES_MAX = 10_000

/**
 * Stores scores with their charges, counters and deliveries, in the caller's transaction. A scored mention stays
 * unchanged, so a repetition charges and sends nothing. Stores at least one score.
 */
export async function recordScores(
  tx: Transaction,
  scores: readonly Score[],
  options: ScoringOptions,
): Promise<Recorded> {
  const once = [...new Map(scores.map((score) => [score.mention.mentionId, score])).values()]
  const [, known, rules] = await Promise.all([throughIndexes(tx), withPeople(tx, once), readRules(tx, once)])
  const wishes = ruleMatchesOf(rules, known, options.deliveriesMax ?? DELIVERIES_MAX)
  const [taken, left] = [known.slice(0, wishes.taken), once.slice(wishes.taken)]
  const [, written] = await Promise.all([lockCountersOfScores(tx, taken), writeVerdicts(tx, taken, options.at)])
  if (written.length === 0) return { written, deliveries: [], left }
  const mentions = written.map(({ mention }) => mention)
  await Promise.all([
    markBlocksStale(tx, mentions, options.at),
    charge(tx, written, options),
    notifyFollowers(
      tx,
      'mention.scored',
      mentions.map(({ workspaceId, mentionId }) => ({ workspaceId, id: mentionId })),
    ),
    countScores(tx, written, options),
  ])
  return { written, deliveries: await deliverToRules(tx, written, wishes, options), left }
}

async function withPeople(tx: Transaction, scores: readonly Score[]): Promise<Score[]> {
  const accounts = scores.map(({ mention: { workspaceId, post } }) => ({
    workspaceId,
    accountId: accountIdOf(workspaceId, post.platform, post.author),
  }))
  const people = await readKnownPeople(
    tx,
    accounts.flatMap(({ workspaceId, accountId }) => (accountId === null ? [] : [{ workspaceId, accountId }])),
  )
  return scores.map((score, at) => {
    const { accountId } = accounts[at]!
    const person = accountId === null ? undefined : people.get(accountId)
    return person === undefined ? score : { ...score, person }
  })
}

/** Leaves a note for the wallet check. */
async function charge(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const counted = columnsOfScores(scores.map(countedScoreOf))
  const terms = { day: dayOf(at), price: mentionPrice(metered) }
  await Promise.all([addToCounters(tx, counted, terms), addToUsage(tx, counted, terms)])
}

function countedScoreOf({ mention, verdict }: Score): CountedScore {
  const scored = verdict !== null
  return {
    workspaceId: mention.workspaceId,
    keywordId: mention.keywordId,
    platform: mention.post.platform,
    scored,
    relevant: isRelevant(verdict?.relevance ?? null),
    billable: isBillable({ scored, free: mention.free }),
  }
}

async function countScores(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const moves = scores.map(({ mention: { workspaceId, keywordId, createdAt }, verdict }) => ({
    ...{ workspaceId, keywordId, createdAt },
    before: null,
    after: verdict?.relevance ?? null,
  }))
  await Promise.all([countRelevance(tx, moves, at), metered ? brakeNoise(tx, moves, at) : undefined])
}
