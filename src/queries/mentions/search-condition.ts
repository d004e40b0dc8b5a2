import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { facetHash } from '../../store/filter/facets.ts'
import { byAccounts, filterCondition, notByAccounts } from '../../store/filter/filter-sql.ts'
import { ofReview } from './review-search.ts'
import type { ResolvedSearch, WrittenBy } from './search.ts'

/** The search as a condition on `m` and the join; `at` decides snoozes. */
export function searchCondition(workspaceId: Uuid, search: ResolvedSearch, at: Date): Statement<unknown> {
  const { hidden, snoozed } = search
  const awake = sql`(m.snoozed_until is null or m.snoozed_until <= ${at})`
  const shown = [foundCondition(workspaceId, search), snoozed ? isAsleep(at) : awake]
  return sql.join(hidden === null ? shown : [...shown, notByAccounts(hidden)], sql` and `)
}

/** The condition on `m` that its snooze lasts; null without a snooze. */
export function isAsleep(at: Date): Statement<unknown> {
  return sql`m.snoozed_until > ${at}`
}

/** `searchCondition` with the mentions that mutes and snoozes hide. */
export function foundCondition(workspaceId: Uuid, search: ResolvedSearch): Statement<unknown> {
  const { filters, facts, wanted, assigneeId, since, until, createdSince, createdUntil, ids } = search
  const conditions = [sql`m.workspace_id = ${workspaceId}`, ...filters.map((filter) => filterCondition(filter, facts))]
  if (wanted !== null) conditions.push(byAccounts(workspaceId, wanted))
  if (assigneeId !== null) conditions.push(sql`m.assignee_id = ${assigneeId}`)
  if (since !== null) conditions.push(sql`m.published_at >= ${since}`)
  if (until !== null) conditions.push(sql`m.published_at < ${until}`)
  // Ids begin with the match time.
  if (createdSince !== null) conditions.push(sql`m.id >= ${firstUuidAt(createdSince)}`)
  if (createdUntil !== null) conditions.push(sql`m.id < ${firstUuidAt(createdUntil)}`)
  if (ids !== null) conditions.push(sql`m.id = any(${ids}::uuid[])`)
  if (search.writtenBy !== undefined) conditions.push(byWriter(workspaceId, search.writtenBy))
  if (search.review !== undefined) conditions.push(ofReview(search.review))
  if (search.containing !== undefined) conditions.push(containingText(search.containing))
  return sql.join(conditions, sql` and `)
}

/** No index holds parts of words, so each post is read. */
function containingText(text: string): Statement<unknown> {
  const holds = (part: Statement<unknown>) => sql`strpos(lower(${part}), lower(${text})) > 0`
  return sql`exists (select from post c where c.id = m.post_id and (${holds(sql`c.title`)} or ${holds(sql`c.body`)}
    or ${holds(sql`c.author ->> 'handle'`)} or ${holds(sql`c.author ->> 'name'`)}))`
}

function byWriter(workspaceId: Uuid, { key, handle }: WrittenBy): Statement<unknown> {
  const among = sql`m.facets && ${[facetHash(workspaceId, 'author', key)]}::bigint[]`
  if (handle === null) return among
  return sql`(${among} and exists (select from post w where w.id = m.post_id
    and regexp_replace(lower(w.author ->> 'handle'), '^(@|/?u/)', '') = ${handle}))`
}
