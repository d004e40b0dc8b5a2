import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { fromId, toId, type Uuid } from '../kernel/ids.ts'
import { type Reader, sql } from '../store/database.ts'

/** A workspace as the operator names it. */
export interface NamedWorkspace {
  id: Uuid
  name: string
  /** How many people belong to it. */
  members: number
}

/** Whether a text stands for the id of a workspace, right or wrong, and not for a name. */
export function isOrgId(org: string): boolean {
  return org.startsWith('org_')
}

/**
 * The workspaces that an id or a name stands for, the oldest first. What looks like an id is no name: people choose
 * names, and not ids.
 */
export async function findWorkspaces(reader: Reader, org: string): Promise<NamedWorkspace[]> {
  const [id, name] = isOrgId(org) ? [fromId('org', org), null] : [null, org]
  return reader.query(sql`
    select w.id, w.name, (select count(*) from membership m where m.workspace_id = w.id) as members
      from workspace w where w.id = ${id} or w.name = ${name} order by w.created_at, w.id`)
}

/** The one workspace that the operator means. Refuses a name that several have: anybody may have chosen it. */
export async function getNamedWorkspace(
  reader: Reader,
  org: string,
): Promise<NamedWorkspace | Refusal<'not_found'> | Refusal<'conflict'>> {
  return theOneOf(await findWorkspaces(reader, org), org)
}

/** Judges what was found for an id or a name. */
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
