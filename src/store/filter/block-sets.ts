import type { Attribute, Test } from '../../domain/filter/field.ts'
import { FILTER_FIELDS, FILTER_NAMES, type FilterGroup, type FilterValue } from '../../domain/filter/fields.ts'
import { listOf } from '../../domain/filter/predicate.ts'
import { INTENTS, RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import { PLATFORM_NUMBERS_END, type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { type Statement, sql } from '../database.ts'

type Condition = Statement<unknown>

/** Small, so that a block with one match costs little, yet so large that blocks are few. */
export const BLOCK_SIZE = 256

const RATINGS = [1, 2, 3, 4, 5]
const LANGUAGE_SETS = 32
/** Lower bounds of the sets; must contain the scorer's threshold. */
export const RELEVANCES: readonly number[] = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
const FOLLOWERS: readonly number[] = [1, 100, 1000, 10_000, 100_000, 1_000_000]
export const FLAGS: readonly string[] = ['automated', 'isReply']

const upTo = (length: number) => Array.from({ length }, (_, at) => at)

const MEMBERS = {
  platform_sets: upTo(PLATFORM_NUMBERS_END).map((at) => sql`m.platform = ${sql.lit(at)}`),
  rating_sets: RATINGS.map((rating) => sql`m.rating = ${sql.lit(rating)}`),
  sentiment_sets: upTo(SENTIMENTS.length).map((at) => sql`m.sentiment = ${sql.lit(at)}`),
  intent_sets: upTo(INTENTS.length).map((at) => sql`(m.intents & ${sql.lit(1 << at)}) <> 0`),
  language_sets: upTo(LANGUAGE_SETS).map((at) => sql`m.language_set = ${sql.lit(at)}`),
  relevance_sets: RELEVANCES.map((least) => sql`m.relevance >= ${sql.lit(least)}`),
  follower_sets: FOLLOWERS.map((least) => sql`m.followers >= ${sql.lit(least)}`),
  flag_sets: [sql`m.automated`, sql`m.is_reply`],
} as const satisfies Record<string, Condition[]>
type SetColumn = keyof typeof MEMBERS

export const NO_MENTION = sql`B'0'::bit(256)`

const LAST_PLACE = sql`set_bit(${NO_MENTION}, ${sql.lit(BLOCK_SIZE - 1)}, 1)`

/** `place` counts from 0. A mention stored with a past id may exceed the block and shares the last position. */
export function memberColumns(place: Condition): Condition {
  return sql`set_bit(${NO_MENTION}, least(${place}, ${sql.lit(BLOCK_SIZE - 1)})::int, 1) as one,
    ${languageSet(sql`m.language`)} as language_set`
}

/** Languages share sets. */
export function languageSet(language: Condition): Condition {
  return sql`(ascii(${language}) * 31 + ascii(substr(${language}, 2))) % ${sql.lit(LANGUAGE_SETS)}`
}

export const SETS: Readonly<Record<string, Condition>> = Object.fromEntries(
  Object.entries<Condition[]>(MEMBERS).map(([column, members]) => [
    column,
    sql`array[${sql.join(members.map((has) => sql`coalesce(bit_or(m.one) filter (where ${has}), ${NO_MENTION})`))}]`,
  ]),
)

/** Sets of block `b` that contain every mention that meets a condition. */
export function setsOf(group: FilterGroup): Condition[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = group[name]
    return value === undefined ? [] : (setOf(FILTER_FIELDS[name].test, value) ?? [])
  })
}

function setOf(test: Test, value: FilterValue): Condition | null {
  switch (test.test) {
    case 'one_of':
    case 'shares':
      return anyOf(test.attribute, listOf(value))
    case 'none_of': {
      const named = test.attribute === 'platform' ? anyOf(test.attribute, listOf(value)) : null
      return named && complement(named)
    }
    case 'at_least':
      return atLeast(test.attribute, Number(value))
    case 'is': {
      const place = FLAGS.indexOf(test.attribute)
      if (place < 0) return null
      const flag = member('flag_sets', place)
      return value === true ? flag : complement(flag)
    }
    case 'relevant': {
      const relevant = member('relevance_sets', RELEVANCES.indexOf(RELEVANCE_THRESHOLD))
      return value === true ? relevant : complement(relevant)
    }
    case 'at_most':
      return test.attribute === 'relevance' ? relevanceAtMost(Number(value)) : null
    case 'shares_none':
    case 'says':
      return null
  }
}

/** Always with the last position, which several mentions may share. */
function complement(set: Condition): Condition {
  return sql`(~${set} | ${LAST_PLACE})`
}

/** The mentions with one of the values; languages share sets, so that there may be others too. */
export function anyOf(attribute: Attribute, values: readonly (string | number | boolean)[]): Condition | null {
  switch (attribute) {
    case 'platform':
      return union('platform_sets', numbersOf(values as Platform[]), upTo(PLATFORM_NUMBERS_END))
    case 'sentiment':
      return union('sentiment_sets', values, SENTIMENTS)
    case 'intents':
      return union('intent_sets', values, INTENTS)
    case 'rating':
      return union('rating_sets', values, RATINGS)
    case 'language':
      return union('language_sets', values.map(String).map(languageSetOf), upTo(LANGUAGE_SETS))
    default:
      return null
  }
}

function numbersOf(platforms: readonly Platform[]): number[] {
  return platforms.map(platformNumber)
}

function union(
  column: SetColumn,
  values: readonly (string | number | boolean)[],
  all: readonly (string | number)[],
): Condition {
  const places = [...new Set(values.map((value) => all.findIndex((item) => String(item) === String(value))))].filter(
    (place) => place >= 0,
  )
  if (places.length === 0) return NO_MENTION
  return sql`(${sql.join(
    places.map((place) => member(column, place)),
    sql` | `,
  )})`
}

/** Must equal `languageSet`. */
export function languageSetOf(language: string): number {
  const [first = '', second = ''] = language
  return ((first.codePointAt(0) ?? 0) * 31 + (second.codePointAt(0) ?? 0)) % LANGUAGE_SETS
}

/** Lower bounds that have a set of their own. */
export const STEPS_OF: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ['relevance', RELEVANCES],
  ['followers', FOLLOWERS],
])

function atLeast(attribute: string, least: number): Condition | null {
  const steps = STEPS_OF.get(attribute) ?? []
  const place = steps.findLastIndex((step) => step <= least)
  return place < 0 ? null : member(attribute === 'relevance' ? 'relevance_sets' : 'follower_sets', place)
}

function relevanceAtMost(most: number): Condition {
  const scored = member('relevance_sets', 0)
  const above = RELEVANCES.findIndex((step) => step > most)
  return above < 0 ? scored : sql`(${scored} & ${complement(member('relevance_sets', above))})`
}

/** As a parameter, so that the text does not depend on the values. */
export function member(column: SetColumn, place: number): Condition {
  return sql`${sql.ref(`b.${column}`)}[${place + 1}::int]`
}
