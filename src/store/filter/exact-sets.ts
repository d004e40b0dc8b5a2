import type { Attribute, Test } from '../../domain/filter/field.ts'
import {
  FILTER_FIELDS,
  FILTER_NAMES,
  type FilterGroup,
  type FilterValue,
  type MentionFilter,
} from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { RELEVANCE_THRESHOLD } from '../../domain/mention/classification.ts'
import { type Statement, sql } from '../database.ts'
import { anyOf, FLAGS, languageSet, languageSetOf, member, NO_MENTION, RELEVANCES, STEPS_OF } from './block-sets.ts'

type Condition = Statement<unknown>

/** Which mentions of block `b` meet filters, where the block meets `told`. */
export interface ExactSet {
  /** May have bits behind the last mention of the block. */
  set: Condition
  told: readonly Condition[]
}

const AND = sql` & `
const OR = sql` | `
const EVERY_MENTION: ExactSet = { set: sql`(~${NO_MENTION})`, told: [] }

/** Null for filters of which the sets of no block tell enough. */
export function exactSetOf(filters: readonly MentionFilter[]): ExactSet | null {
  return joined(filters.map(ofFilter), AND)
}

function ofFilter({ anyOf: groups, ...group }: MentionFilter): ExactSet | null {
  if (groups === undefined) return ofGroup(group)
  return groups.length === 0 ? null : joined([ofGroup(group), joined(groups.map(ofGroup), OR)], AND)
}

function ofGroup(group: FilterGroup): ExactSet | null {
  return joined(
    FILTER_NAMES.flatMap((name) => {
      const value = group[name]
      return value === undefined ? [] : [ofTest(FILTER_FIELDS[name].test, value)]
    }),
    AND,
  )
}

function joined(parts: readonly (ExactSet | null)[], operator: Condition): ExactSet | null {
  const [first = EVERY_MENTION, ...others] = parts
  if (first === null || others.length === 0) return first
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length) return null
  return {
    set: sql`(${sql.join(
      known.map(({ set }) => set),
      operator,
    )})`,
    told: known.flatMap(({ told }) => told),
  }
}

function ofTest(test: Test, value: FilterValue): ExactSet | null {
  switch (test.test) {
    case 'one_of':
    case 'shares':
      return among(test.attribute, listOf(value))
    case 'none_of':
    case 'shares_none':
      return complement(among(test.attribute, listOf(value)))
    case 'at_least':
      return from(test.attribute, Number(value))
    case 'at_most':
      return test.attribute === 'relevance' ? relevanceUpTo(Number(value)) : null
    case 'is': {
      const flag = FLAGS.includes(test.attribute) ? exact(member('flag_sets', FLAGS.indexOf(test.attribute))) : null
      return value === true ? flag : complement(flag)
    }
    case 'relevant':
      return value === true
        ? from('relevance', RELEVANCE_THRESHOLD)
        : complement(from('relevance', RELEVANCE_THRESHOLD))
    case 'says':
      return null
  }
}

function among(attribute: Attribute, values: readonly (string | number | boolean)[]): ExactSet | null {
  const set = anyOf(attribute, values)
  if (set === null) return null
  return { set, told: attribute === 'language' ? [noOtherLanguage(values.map(String))] : [] }
}

/** Whether the block has no other language in the same sets. */
function noOtherLanguage(languages: readonly string[]): Condition {
  return sql`not exists (select from unnest(b.languages) o (language) where o.language <> all(${languages}::text[])
    and ${languageSet(sql`o.language`)} = any(${languages.map(languageSetOf)}::int[]))`
}

function from(attribute: string, least: number): ExactSet | null {
  const place = (STEPS_OF.get(attribute) ?? []).indexOf(least)
  return place < 0 ? null : exact(member(attribute === 'relevance' ? 'relevance_sets' : 'follower_sets', place))
}

/** Relevance is a whole number up to 100. */
function relevanceUpTo(most: number): ExactSet | null {
  const scored = from('relevance', 0)
  if (most >= 100) return scored
  return RELEVANCES.includes(most + 1) ? joined([scored, complement(from('relevance', most + 1))], AND) : null
}

function complement(of: ExactSet | null): ExactSet | null {
  return of && { ...of, set: sql`(~${of.set})` }
}

function exact(set: Condition): ExactSet {
  return { set, told: [] }
}
