import { type Id, toId, type Uuid } from '../kernel/ids.ts'
import { type Refusal, refuse } from '../kernel/refusal.ts'
import { sql } from '../store/database.ts'
import type { Reading } from './reading.ts'

/** A group as callers see it. */
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

/** All groups: the default group first, then the oldest first. With `externalId` only the one that has it. */
export async function listGroups(reading: Reading, filter: { externalId?: string | undefined } = {}): Promise<Group[]> {
  return select(reading, filter.externalId === undefined ? sql`true` : sql`g.external_id = ${filter.externalId}`)
}

/** One group, if the workspace has it. */
export async function findGroup(reading: Reading, id: Uuid): Promise<Group | null> {
  const [group] = await select(reading, sql`g.id = ${id}`)
  return group ?? null
}

/** One group, or not_found. */
export async function getGroup(reading: Reading, id: Uuid): Promise<Group | Refusal<'not_found'>> {
  return (await findGroup(reading, id)) ?? refuse('not_found', 'There is no such group in this workspace.')
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

async function select({ db, workspaceId }: Reading, condition: ReturnType<typeof sql>): Promise<Group[]> {
  const rows = await db.query<Row>(sql`
    select g.*, coalesce(k.keywords, 0) as keywords, coalesce(k.active, 0) as active
      from keyword_group g
      left join (
        select group_id, count(*) as keywords,
               count(*) filter (where not (muted or paused_for_balance or paused_for_noise or paused_for_cap)) as active
          from keyword where workspace_id = ${workspaceId} group by group_id
      ) k on k.group_id = g.id
     where g.workspace_id = ${workspaceId} and ${condition}
     order by g.is_default desc, g.id`)
  return rows.map(toApi)
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
