import { type Refusal, refuse } from '../domain/refusal/refusal.ts'
import { keptDays, type Retention } from '../domain/workspace/retention.ts'
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
  retention: { mentions: KeptPeriod; deliveries: KeptPeriod & { days: number } }
}

/** In days. */
export interface KeptPeriod {
  /** What is in force; null keeps everything. */
  days: number | null
  /** The workspace's own choice; null follows the installation. */
  ownDays: number | null
  /** The installation's, which is the longest; null for none. */
  longestDays: number | null
}

interface WorkspaceRow {
  name: string
  created_at: Date
  deletes_at: Date | null
  mentions: number | null
  deliveries: number | null
}

export async function readWorkspace({
  db,
  workspaceId,
  retention: { mentionDays, deliveryDays },
}: {
  db: Reader
  workspaceId: Uuid
  retention: Retention
}): Promise<WorkspaceView> {
  const [row] = await db.query<WorkspaceRow>(sql`
    select name, created_at, deletes_at, mentions_kept_days as mentions, deliveries_kept_days as deliveries
    from workspace where id = ${workspaceId}`)
  if (row === undefined) throw new Error('a workspace that is being read is not there')
  return {
    id: toId('org', workspaceId),
    name: row.name,
    createdAt: row.created_at.toISOString(),
    deletesAt: row.deletes_at?.toISOString() ?? null,
    retention: {
      mentions: { days: keptDays(row.mentions, mentionDays), ownDays: row.mentions, longestDays: mentionDays },
      deliveries: {
        days: keptDays(row.deliveries, deliveryDays),
        ownDays: row.deliveries,
        longestDays: deliveryDays,
      },
    },
  }
}
