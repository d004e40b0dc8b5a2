import { INTENTS, type Intent, intentBits } from '../../domain/mention/classification.ts'
import { INTENT_POINTS, PRIORITY_SCALE } from '../../domain/mention/priority.ts'
import { type Statement, sql } from '../database.ts'

/** `priorityOf` of mention `m` in SQL. */
export function priorityExpression(at: Date): Statement<unknown> {
  const { one, relevance, unknownReach, maxReach, reachDecade, maxAge, ageMs } = PRIORITY_SCALE
  // No coalesce: greatest and least ignore null.
  const reach = sql`case when m.followers is null then ${unknownReach}::int
    else least(${maxReach}::int, round(${reachDecade}::float8 * log(1 + greatest(0, m.followers)::float8))::int) end`
  const age = sql`least(${maxAge}::int, greatest(0, round(extract(epoch
      from (${at}::timestamptz - m.published_at))::float8 * 1000)::bigint / ${ageMs}::bigint))`
  const points = sql`coalesce(m.relevance, 0) * ${relevance}::int + ${reach} + ${STRONGEST_INTENT} - ${age}`
  return sql`(greatest(0, ${points} + ${one / 2}::int) / ${one}::int)`
}

const STRONGEST_INTENT = sql`case ${sql.join(
  [...INTENTS]
    .sort((a, b) => INTENT_POINTS[b] - INTENT_POINTS[a])
    .map((intent) => sql`when ${bitOf(intent)} then ${sql.lit(INTENT_POINTS[intent] * PRIORITY_SCALE.one)}`),
  sql` `,
)} else 0 end`

function bitOf(intent: Intent): Statement<unknown> {
  return sql`(m.intents & ${sql.lit(intentBits([intent]))}) <> 0`
}
