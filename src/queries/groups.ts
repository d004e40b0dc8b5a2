import { isRefusal, type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { type Id, toId, type Uuid } from '../kernel/ids.ts'
import { type Statement, sql } from '../store/database.ts'
import { pageOf, readCursorText } from './cursor.ts'
import type { QueryContext } from './reading.ts'

export interface Group {
  id: Id<'grp'>
  name: string
  externalId: string | null
  isDefault: boolean
  context: string
  stats: { keywords: number; active: number }
  createdAt: string
  updatedAt: string
}

export interface GroupSearch {
  externalId?: string | undefined
  /** Absent means all. */
  limit?: number | undefined
  cursor?: string | undefined
}

export interface GroupPage {
  data: Group[]
  nextCursor: string | null
}

const SORT = 'groups'

/** The default group first, then oldest first; all groups or a page. */
export async function listGroups(
  reading: QueryContext,
  { externalId, limit, cursor }: GroupSearch = {},
): Promise<GroupPage | Refusal<'invalid_cursor' | 'not_found'>> {
  const behind = cursor === undefined ? sql`true` : await behindCursor(reading, cursor)
  if (isRefusal(behind)) return behind
  const named = externalId === undefined ? sql`true` : sql`g.external_id = ${externalId}`
  const rows = await selectRows(reading, sql`${named} and ${behind}`, limit === undefined ? null : limit + 1)
  const { shown, nextCursor } = pageOf(rows, limit ?? rows.length, SORT)
  return { data: shown.map(toApi), nextCursor }
}

async function behindCursor(
  { db, workspaceId }: QueryContext,
  cursor: string,
): Promise<Statement<unknown> | Refusal<'invalid_cursor' | 'not_found'>> {
  const last = readCursorText(SORT, cursor)
  if (last === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another list')
  const [group] = await db.query<{ is_default: boolean }>(
    sql`select is_default from keyword_group where workspace_id = ${workspaceId} and id = ${last}`,
  )
  if (group === undefined) return refuse('not_found', 'The group at this cursor is gone; start again without a cursor')
  return group.is_default ? sql`not g.is_default` : sql`(not g.is_default and g.id > ${last})`
}

export async function findGroup(reading: QueryContext, id: Uuid): Promise<Group | null> {
  const [row] = await selectRows(reading, sql`g.id = ${id}`, 1)
  return row === undefined ? null : toApi(row)
}

export async function getGroup(reading: QueryContext, id: Uuid): Promise<Group | Refusal<'not_found'>> {
  return (await findGroup(reading, id)) ?? refuse('not_found', 'This workspace has no such group.')
}

interface Row {
  id: Uuid
  name: string
  external_id: string | null
  is_default: boolean
  context: string
  keywords: number
  active: number
  created_at: Date
  updated_at: Date
}

async function selectRows(
  { db, workspaceId }: QueryContext,
  condition: Statement<unknown>,
  limit: number | null,
): Promise<Row[]> {
  return await db.query<Row>(sql`
    select g.*, coalesce(k.keywords, 0) as keywords, coalesce(k.active, 0) as active
      from keyword_group g
      left join (
        select group_id, count(*) as keywords,
               count(*) filter (where not (muted or paused_for_balance or paused_for_noise or paused_for_cap)) as active
          from keyword where workspace_id = ${workspaceId} group by group_id
      ) k on k.group_id = g.id
     where g.workspace_id = ${workspaceId} and ${condition}
     order by g.is_default desc, g.id limit ${limit}`)
}

function toApi(row: Row): Group {
  return {
    id: toId('grp', row.id),
    name: row.name,
    externalId: row.external_id,
    isDefault: row.is_default,
    context: row.context,
    stats: { keywords: row.keywords, active: row.active },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
