import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../../domain/filter/predicate.ts'
import { filterOfRule } from '../../domain/filter/rule-filter.ts'
import { isRelevant } from '../../domain/mention/classification.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { RuleRow } from '../../store/delivery/rules.ts'
import { filterableOf, type Score } from '../../store/model/score.ts'

/** Compiled filters by rule and version: rules are read afresh with each batch, but seldom change. */
const compiled = new Map<string, Predicate>()
const COMPILED_MAX = 20_000

function predicateFor(rule: RuleRow): Predicate {
  const key = `${rule.id} ${rule.version}`
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  const predicate = predicateOf(filterOfRule(JSON.parse(rule.filter) as MentionFilter))
  compiled.set(key, predicate)
  return predicate
}

/** Rules that want one mention through one of their channels, together: whoever is there gets it once. */
export interface Wanted {
  score: Score
  /** Oldest first. */
  rules: readonly RuleRow[]
  channelId: Uuid
}

type Wish = Omit<Wanted, 'score'>

/** Which rules want which mentions, by what is known before any is locked. */
export interface Wishes {
  /** How many of the first scores make no more deliveries together than are allowed at once; one at least. */
  taken: number
  /** Through which channels one of these is wanted, whatever its status. */
  of(score: Score): Wanted[]
}

/** Which rules want which scores, as far as they make no more than `deliveriesMax` deliveries. */
export function wishesOf(
  rules: ReadonlyMap<Uuid, readonly RuleRow[]>,
  scores: readonly Score[],
  deliveriesMax: number,
): Wishes {
  // A rule cannot ask for a status, so what is found for a mention holds although it is closed meanwhile.
  const found = new Map<Uuid, Wish[]>()
  let count = 0
  for (const score of scores) {
    const filterable = filterableOf(score)
    const own = score.person?.muted
      ? []
      : (rules.get(score.mention.workspaceId) ?? []).filter((rule) => predicateFor(rule)(filterable))
    const wanted = foldRules(own, score)
    count += wanted.length
    if (count > deliveriesMax && found.size > 0) break
    found.set(score.mention.mentionId, wanted)
  }
  // The score that is written down tells more than the one that was looked at.
  const of = (score: Score) => found.get(score.mention.mentionId)!.map((wish) => ({ ...wish, score }))
  return { taken: found.size, of }
}

function channelsFor(rule: RuleRow, { verdict }: Score): readonly Uuid[] {
  const { channels, relevant_only: picky } = rule
  return picky === null || isRelevant(verdict?.relevance ?? null)
    ? channels
    : channels.filter((id) => !picky.includes(id))
}

/** So many different events of one mention a webhook gets at most; the rules of further ones join the last. */
export const EVENTS_OF_MENTION_MAX = 20

/**
 * One delivery for each channel however many rules name it, and for a webhook one for each event, by which receivers
 * tell what to do: one post makes at most so many requests as its workspace has channels, times the events of a
 * mention.
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
