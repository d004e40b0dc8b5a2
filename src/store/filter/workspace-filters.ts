import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'

/** Carries workspace ids, separated by spaces. */
export const FILTERS_CHANNEL = 'earshot_filters'

export interface StoredFilters {
  workspaceId: Uuid
  excludedTerms: string[]
  excludedAuthors: string[]
  /** In the normal forms that are compared. */
  excludedAuthorKeys: string[]
  excludedRepos: string[]
  subredditsOnly: string[]
  subredditsExcluded: string[]
  version: number
  /** Also rises with changes that callers do not see. */
  revision: number
  updatedAt: Date
}

const COLUMNS = sql`workspace_id as "workspaceId", excluded_terms as "excludedTerms",
    excluded_authors as "excludedAuthors", excluded_author_keys as "excludedAuthorKeys",
  excluded_repos as "excludedRepos", subreddits_only as "subredditsOnly", subreddits_excluded as "subredditsExcluded",
    version, revision, updated_at as "updatedAt"`

export function readFilters(reader: Reader, workspaceIds: readonly Uuid[]): Promise<StoredFilters[]> {
  return reader.query<StoredFilters>(
    sql`select ${COLUMNS} from workspace_filters where workspace_id = any(${workspaceIds}::uuid[])`,
  )
}

/** Creates empty filters if needed. */
export async function lockFilters(tx: Transaction, workspaceId: Uuid): Promise<StoredFilters> {
  await tx.query(sql`
    insert into workspace_filters (workspace_id, updated_at) select id, created_at from workspace
      where id = ${workspaceId} on conflict (workspace_id) do nothing`)
  const [row] = await tx.query<StoredFilters>(
    sql`select ${COLUMNS} from workspace_filters where workspace_id = ${workspaceId} for update`,
  )
  return row!
}

export async function storeFilters(tx: Transaction, filters: StoredFilters): Promise<void> {
  await tx.query(sql`
    update workspace_filters set excluded_terms = ${filters.excludedTerms}::text[],
      excluded_authors = ${filters.excludedAuthors}::text[],
      excluded_author_keys = ${filters.excludedAuthorKeys}::text[], excluded_repos = ${filters.excludedRepos}::text[],
        subreddits_only = ${filters.subredditsOnly}::text[],
      subreddits_excluded = ${filters.subredditsExcluded}::text[], version = ${filters.version},
        revision = revision + 1, updated_at = ${filters.updatedAt}
    where workspace_id = ${filters.workspaceId}`)
  await tx.query(sql`select pg_notify(${FILTERS_CHANNEL}, ${filters.workspaceId})`)
}

/** With a checksum of ids and revisions. */
export interface FilterTotals {
  count: number
  sum: number
}

export async function readFilterTotals(reader: Reader): Promise<FilterTotals> {
  const [row] = await reader.query<FilterTotals>(sql`
    select count(*) as count, coalesce(sum((1 + ((get_byte(uuid_send(workspace_id),
      14) << 8) | get_byte(uuid_send(workspace_id), 15)))::bigint * revision), 0)::float8 as sum
    from workspace_filters`)
  return row!
}

/** The workspace's part of `FilterTotals.sum`. */
export function filterSumOf(workspaceId: Uuid, revision: number): number {
  return (1 + Number.parseInt(workspaceId.slice(-4), 16)) * revision
}

export function readFilterRevisions(
  reader: Reader,
  after: Uuid | null,
  limit: number,
): Promise<{ workspaceId: Uuid; revision: number }[]> {
  const behind: Statement<unknown> = after === null ? sql`true` : sql`workspace_id > ${after}`
  return reader.query(
    sql`select workspace_id as "workspaceId", revision from workspace_filters where ${behind} order by workspace_id
        limit ${limit}`,
  )
}

/** In order of workspace id; locked until the transaction ends. */
export function lockFiltersExcluding(
  tx: Transaction,
  keys: readonly string[],
  after: Uuid | null,
  limit: number,
): Promise<StoredFilters[]> {
  return tx.query<StoredFilters>(sql`
    select ${COLUMNS} from workspace_filters
    where excluded_author_keys <> '{}' and excluded_author_keys && ${keys}::text[] and (${after}::uuid is null
      or workspace_id > ${after}::uuid)
    order by workspace_id limit ${limit} for update`)
}
