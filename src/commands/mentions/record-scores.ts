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
import { brakeNoise } from '../../store/keyword/noise-brake.ts'
import { tellFollowers } from '../../store/mention/mention-followers.ts'
import { lockCountersOfScores, writeVerdicts } from '../../store/mention/verdicts.ts'
import type { Score } from '../../store/model/score.ts'
import { readKnownPeople } from '../../store/person/known-people.ts'
import { type Delivering, deliverToRules } from './deliver-to-rules.ts'
import { wishesOf } from './wishes.ts'

export interface ScoringOptions extends Delivering {
  /** Whether scored mentions are charged. */
  metered: boolean
  /** No more deliveries are made at once, unless one mention alone makes more; 10,000 unless told otherwise. */
  deliveriesMax?: number
}

/** What became of scores. */
export interface Recorded {
  /** Those that were written down; the others had a score already, or their mention is gone. */
  written: Score[]
  /** In the order of the scores they follow from. */
  deliveries: NewDelivery[]
  /** Those that were not looked at, because enough follows from the ones before them: for further transactions. */
  left: Score[]
}

/**
 * A batch of one workspace with many rules and channels would otherwise be millions of deliveries in one transaction.
 */
const DELIVERIES_MAX = 10_000

/**
 * Writes scores down with everything that follows from them, in the caller's transaction: the charge, the counters, and
 * the deliveries of instant rules that want the mention. A mention that has a score already keeps it and nothing
 * follows, so doing it twice charges and sends once. Of many scores that make very many deliveries the first are
 * written down, at least one, and the others are answered as left.
 */
export async function recordScores(
  tx: Transaction,
  scores: readonly Score[],
  options: ScoringOptions,
): Promise<Recorded> {
  const once = [...new Map(scores.map((score) => [score.mention.mentionId, score])).values()]
  const [, known, rules] = await Promise.all([throughIndexes(tx), withPeople(tx, once), readRules(tx, once)])
  const wishes = wishesOf(rules, known, options.deliveriesMax ?? DELIVERIES_MAX)
  const [taken, left] = [known.slice(0, wishes.taken), once.slice(wishes.taken)]
  const [, written] = await Promise.all([lockCountersOfScores(tx, taken), writeVerdicts(tx, taken, options.at)])
  if (written.length === 0) return { written, deliveries: [], left }
  const mentions = written.map(({ mention }) => mention)
  await Promise.all([
    markBlocksStale(tx, mentions, options.at),
    charge(tx, written, options),
    tellFollowers(tx, mentions, options.at),
    countScores(tx, written, options),
  ])
  return { written, deliveries: await deliverToRules(tx, written, wishes, options), left }
}

/** The scores with what the workspaces have made of the authors. */
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

/**
 * Counts what was scored, and what it costs. Where something is charged a note is left for whoever watches the wallets.
 */
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

/** Counts the scores for the statistics of their keywords, and stops keywords that turn out to bring noise. */
async function countScores(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const moves = scores.map(({ mention: { workspaceId, keywordId, createdAt }, verdict }) => ({
    ...{ workspaceId, keywordId, createdAt },
    before: null,
    after: verdict?.relevance ?? null,
  }))
  await Promise.all([countRelevance(tx, moves, at), metered ? brakeNoise(tx, moves, at) : undefined])
}
