import { parseAuthorEntry } from '../domain/post/author-entry.ts'
import type { WorkspaceFilters } from '../domain/workspace/filters.ts'
import { sql } from '../store/database.ts'
import { readFilters, type StoredFilters } from '../store/filter/workspace-filters.ts'
import type { QueryContext } from './reading.ts'

export interface FiltersView extends WorkspaceFilters {
  version: number
  updatedAt: string
}

/** Empty, dated as the workspace, before any change. */
export async function getFilters({ db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>): Promise<FiltersView> {
  const [filters] = await readFilters(db, [workspaceId])
  if (filters) return showFilters(filters)
  const [workspace] = await db.query<{ created_at: Date }>(
    sql`select created_at from workspace where id = ${workspaceId}`,
  )
  if (workspace === undefined) throw new Error('a workspace that is being read is not there')
  return {
    excludedTerms: [],
    excludedAuthors: [],
    excludedRepos: [],
    subreddits: { only: [], excluded: [] },
    version: 1,
    updatedAt: workspace.created_at.toISOString(),
  }
}

export function showFilters(filters: StoredFilters): FiltersView {
  return {
    excludedTerms: filters.excludedTerms,
    excludedAuthors: [...new Set(filters.excludedAuthors.map(shownAuthor))],
    excludedRepos: filters.excludedRepos,
    subreddits: { only: filters.subredditsOnly, excluded: filters.subredditsExcluded },
    version: filters.version,
    updatedAt: filters.updatedAt.toISOString(),
  }
}

/** A profile link or plain name. */
export function shownAuthor(entry: string): string {
  const parsed = parseAuthorEntry(entry)
  return 'normal' in parsed ? parsed.normal : entry
}
