import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../../domain/filter/predicate.ts'
import { filterOfRule } from '../../domain/filter/rule-filter.ts'
import { isRelevant } from '../../domain/mention/classification.ts'
import { boundedCache } from '../../kernel/concurrency/bounded-cache.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { RuleRow } from '../../store/delivery/rules.ts'
import { filterableOf, type Score } from '../../store/model/score.ts'

/** By rule and version: rules are read with each batch but seldom change. */
const compiled = boundedCache<Predicate>({ most: 20_000 })

function predicateFor(rule: RuleRow): Predicate {
  const key = `${rule.id} ${rule.version}`
  const known = compiled.get(key)
  if (known) return known
  const predicate = predicateOf(filterOfRule(JSON.parse(rule.filter) as MentionFilter))
  compiled.set(key, predicate)
  return predicate
}

export interface WantedMentions {
  score: Score
  /** Oldest first. */
  rules: readonly RuleRow[]
  channelId: Uuid
}

type Wish = Omit<WantedMentions, 'score'>

export interface RuleMatches {
  /** How many leading scores stay within the delivery limit; at least one. */
  taken: number
  /** Of any status. */
  of(score: Score): WantedMentions[]
}

export function ruleMatchesOf(
  rules: ReadonlyMap<Uuid, readonly RuleRow[]>,
  scores: readonly Score[],
  deliveriesMax: number,
): RuleMatches {
  // Rules cannot filter by status, so closing a mention meanwhile changes nothing.
  const found = new Map<Uuid, Wish[]>()
  let count = 0
  for (const score of scores) {
    const wanted = foldRules(rulesWanting(score, rules.get(score.mention.workspaceId) ?? []), score)
    count += wanted.length
    if (count > deliveriesMax && found.size > 0) break
    found.set(score.mention.mentionId, wanted)
  }
  // The stored score has more data than the one checked.
  const of = (score: Score) => found.get(score.mention.mentionId)!.map((wish) => ({ ...wish, score }))
  return { taken: found.size, of }
}

function rulesWanting(score: Score, rules: readonly RuleRow[]): readonly RuleRow[] {
  if (score.person?.muted) return []
  const filterable = filterableOf(score)
  return rules.filter((rule) => predicateFor(rule)(filterable))
}

function channelsFor(rule: RuleRow, { verdict }: Score): readonly Uuid[] {
  const { channels, relevant_only: picky } = rule
  return picky === null || isRelevant(verdict?.relevance ?? null)
    ? channels
    : channels.filter((id) => !picky.includes(id))
}

/** Rules of further events join the last. */
export const EVENTS_OF_MENTION_MAX = 20

/**
 * One delivery for each channel, and for a webhook for each event, since receivers act by event. This bounds the
 * requests of a post.
 */
function foldRules(rules: readonly RuleRow[], score: Score): Wish[] {
  const [first, second] = rules
  if (first === undefined) return []
  if (second === undefined) return channelsFor(first, score).map((channelId) => ({ rules, channelId }))
  const folded = new Map<Uuid, Map<string, RuleRow[]>>()
  for (const rule of rules)
    for (const channelId of channelsFor(rule, score)) {
      const ofChannel = folded.get(channelId) ?? new Map<string, RuleRow[]>()
      if (ofChannel.size === 0) folded.set(channelId, ofChannel)
      const event = rule.read_by_people?.includes(channelId) ? '' : rule.event
      const shared =
        ofChannel.get(event) ?? (ofChannel.size < EVENTS_OF_MENTION_MAX ? undefined : [...ofChannel.values()].at(-1))
      if (shared === undefined) ofChannel.set(event, [rule])
      else shared.push(rule)
    }
  return [...folded].flatMap(([channelId, ofChannel]) =>
    [...ofChannel.values()].map((shared) => ({ rules: shared, channelId })),
  )
}
