import { KEYWORD_KINDS } from '../../domain/keyword/keyword.ts'
import { INTENTS } from '../../domain/mention/classification.ts'
import type { PeopleFilter } from '../../domain/person/person.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { tokens } from '../../matching/index.ts'
import { type Statement, sql } from '../../store/database.ts'
import { nameWord, WORD_PREFIX_DIGITS } from '../../store/person/people.ts'

/** Conditions on `person p` except the workspace; empty when everybody fits. */
export function peopleConditions(workspaceId: Uuid, filter: PeopleFilter): Statement<unknown>[] {
  const conditions: Statement<unknown>[] = []
  const bits = (column: 'platforms' | 'intents' | 'kinds', mask: number) =>
    sql`p.${sql.ref(column)} & ${mask}::int <> 0`
  if (filter.q !== undefined) conditions.push(wordsCondition(workspaceId, filter.q))
  if (filter.platforms) conditions.push(bits('platforms', maskOf(filter.platforms.map(platformNumber))))
  if (filter.notPlatforms)
    conditions.push(sql`not (${bits('platforms', maskOf(filter.notPlatforms.map(platformNumber)))})`)
  // The first test enables the partial index of tagged people.
  if (filter.tags) conditions.push(sql`(p.tags <> '{}' and p.tags && ${filter.tags}::text[])`)
  if (filter.notTags) conditions.push(sql`not (p.tags && ${filter.notTags}::text[])`)
  if (filter.muted !== undefined) conditions.push(filter.muted ? sql`p.muted` : sql`not p.muted`)
  if (filter.minFollowers !== undefined) conditions.push(sql`p.followers >= ${filter.minFollowers}`)
  if (filter.maxFollowers !== undefined) conditions.push(sql`p.followers <= ${filter.maxFollowers}`)
  if (filter.minMentions !== undefined) conditions.push(sql`p.mentions >= ${filter.minMentions}`)
  if (filter.minNegative !== undefined) conditions.push(sql`p.negative >= ${filter.minNegative}`)
  if (filter.intents) conditions.push(bits('intents', maskOf(filter.intents.map((intent) => INTENTS.indexOf(intent)))))
  if (filter.keywordKinds)
    conditions.push(bits('kinds', maskOf(filter.keywordKinds.map((kind) => KEYWORD_KINDS.indexOf(kind)))))
  if (filter.since !== undefined) conditions.push(sql`p.last_seen_at >= ${filter.since}::timestamptz`)
  return conditions
}

export function peopleCondition(workspaceId: Uuid, filters: readonly PeopleFilter[]): Statement<unknown> {
  return sql.join(
    [sql`p.workspace_id = ${workspaceId}`, ...filters.flatMap((filter) => peopleConditions(workspaceId, filter))],
    sql` and `,
  )
}

function maskOf(places: readonly number[]): number {
  return places.reduce((mask, place) => mask | (1 << place), 0)
}

/**
 * Each word is a prefix of a word in a name or handle. Indexed words start with the end of the workspace's id. A text
 * without words finds nobody.
 */
function wordsCondition(workspaceId: Uuid, q: string): Statement<unknown> {
  const words = [...new Set(tokens(q).map(nameWord))]
  if (words.length === 0) return sql`false`
  const prefix = workspaceId.slice(-WORD_PREFIX_DIGITS)
  const query = words.map((word) => `'${`${prefix}${word}`.replace(/['\\]/g, '$&$&')}':*`).join(' & ')
  return sql`p.words @@ ${query}::tsquery`
}
