import type { MentionFilter } from '../../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../../domain/filter/predicate.ts'
import { filterOfRule, RELEVANT_ONLY_KINDS } from '../../domain/filter/rule-filter.ts'
import { isRelevant } from '../../domain/mention/classification.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { filterableOf, type Score } from '../model/score.ts'

/** An instant rule with its channels. */
export interface RuleRow {
  workspace_id: Uuid
  id: Uuid
  event: string
  version: number
  /** As text, because it seldom has to be read. */
  filter: string
  channels: Uuid[]
  /** Those of them that take relevant mentions only, however low the floor of the rule. */
  relevant_only: Uuid[] | null
  /** Those of them that people read, who are not told an event. */
  read_by_people: Uuid[] | null
}

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

/** The instant rules of the workspaces of these scores, each with its channels. */
export async function readRules(tx: Transaction, scores: readonly Score[]): Promise<Map<Uuid, RuleRow[]>> {
  const workspaces = [...new Set(scores.map(({ mention }) => mention.workspaceId))]
  const rules = await tx.run<RuleRow>(
    'score-rules',
    `select a.workspace_id, a.id, a.event, a.version, a.filter::text as filter, array_agg(c.id
        order by ac.position) as channels,
       array_agg(c.id) filter (where c.kind = any($2::text[])) as relevant_only,
       array_agg(c.id) filter (where c.kind <> 'webhook') as read_by_people
     from alert a join alert_channel ac on ac.workspace_id = a.workspace_id and ac.alert_id = a.id
     join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id and c.enabled
     where a.workspace_id = any($1::uuid[]) and a.enabled and a.mode = 'instant'
     group by a.workspace_id, a.id order by a.id`,
    [workspaces, RELEVANT_ONLY_KINDS],
  )
  return groupBy(rules, (rule) => rule.workspace_id)
}

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
