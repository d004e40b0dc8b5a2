import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { fromId, type Id, toId, type Uuid } from '../kernel/ids.ts'
import { type Reader, sql } from '../store/database.ts'

export interface NamedWorkspace {
  id: Uuid
  name: string
  members: number
}

/** Whether the text has the form of an id. */
export function isOrgId(org: string): boolean {
  return org.startsWith('org_')
}

/** Oldest first. A text in the form of an id is never read as a name, because anybody can choose a name. */
export async function findWorkspaces(reader: Reader, org: string): Promise<NamedWorkspace[]> {
  const [id, name] = isOrgId(org) ? [fromId('org', org), null] : [null, org]
  return reader.query(sql`
    select w.id, w.name, (select count(*) from membership m where m.workspace_id = w.id) as members
      from workspace w where (w.id = ${id} or w.name = ${name}) and not w.importing order by w.created_at, w.id`)
}

/** Refuses a name of several workspaces: anybody may have chosen it. */
export async function getNamedWorkspace(
  reader: Reader,
  org: string,
): Promise<NamedWorkspace | Refusal<'not_found'> | Refusal<'conflict'>> {
  return theOneOf(await findWorkspaces(reader, org), org)
}

export function theOneOf(
  found: readonly NamedWorkspace[],
  org: string,
): NamedWorkspace | Refusal<'not_found'> | Refusal<'conflict'> {
  const [workspace, ...others] = found
  if (workspace === undefined) return refuse('not_found', `There is no workspace with the id or name ${org}.`)
  return others.length === 0
    ? workspace
    : refuse('conflict', `Several workspaces are called ${org}. Give the id of one:\n${found.map(lineOf).join('\n')}`)
}

function lineOf({ id, members }: NamedWorkspace): string {
  return (
    `  ${toId('org', id)}  ` +
    `${members === 0 ? 'nobody belongs to it' : `${members} ${members === 1 ? 'member' : 'members'}`}`
  )
}

export interface WorkspaceView {
  id: Id<'org'>
  name: string
  createdAt: string
  /** Null without a scheduled deletion. */
  deletesAt: string | null
}

export async function readWorkspace({ db, workspaceId }: { db: Reader; workspaceId: Uuid }): Promise<WorkspaceView> {
  const [row] = await db.query<{ name: string; created_at: Date; deletes_at: Date | null }>(
    sql`select name, created_at, deletes_at from workspace where id = ${workspaceId}`,
  )
  if (row === undefined) throw new Error('a workspace that is being read is not there')
  return {
    id: toId('org', workspaceId),
    name: row.name,
    createdAt: row.created_at.toISOString(),
    deletesAt: row.deletes_at?.toISOString() ?? null,
  }
}
