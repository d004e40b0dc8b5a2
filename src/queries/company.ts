import type { CompanyProfile } from '../domain/workspace/company.ts'
import { sql } from '../store/database.ts'
import type { QueryContext } from './reading.ts'

export interface Company extends CompanyProfile {
  /** The text for the classifier. */
  context: string
  version: number
  updatedAt: string
}

interface Row {
  name: string | null
  description: string | null
  use_cases: string[] | null
  competitors: string[] | null
  account_x: string | null
  account_linkedin: string | null
  website: string | null
  guidelines: string | null
  context: string | null
  version: number | null
  updated_at: Date
}

/** Empty, dated as the workspace, before the team writes one. */
export async function getCompany({ db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<Company> {
  const [row] = await db.query<Row>(sql`
    select c.*, coalesce(c.updated_at, w.created_at) as updated_at from workspace w left
      join company c on c.workspace_id = w.id where w.id = ${workspaceId}`)
  if (row === undefined) throw new Error('a workspace that is being read is not there')
  return {
    name: row.name ?? '',
    description: row.description ?? '',
    useCases: row.use_cases ?? [],
    competitors: row.competitors ?? [],
    accounts: { x: row.account_x, linkedin: row.account_linkedin },
    website: row.website,
    guidelines: row.guidelines ?? '',
    context: row.context ?? '',
    version: row.version ?? 1,
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The text for the classifier that the team wrote itself; null while it is composed. */
export async function getOwnContext({
  db,
  workspaceId,
}: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<string | null> {
  const [row] = await db.query<{ own_context: string | null }>(
    sql`select own_context from company where workspace_id = ${workspaceId}`,
  )
  return row?.own_context ?? null
}
