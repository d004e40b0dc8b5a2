import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { type FiltersView, showFilters } from '../../queries/filters.ts'
import type { Transaction } from '../../store/database.ts'
import { lockFilters, readFilters, type StoredFilters, storeFilters } from '../../store/filter/workspace-filters.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { keysWritten, notePeople, type PeopleBehind, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import type { WritingContext } from '../writing.ts'
import { type FilterLists, listsFrom } from './lists.ts'

/** Absent lists stay, empty ones clear. */
export interface FiltersChange extends FilterLists {
  ifVersion?: number | undefined
}

/** New mentions follow within a minute; stored ones stay. Equal values change nothing. */
export async function updateFilters(
  writing: WritingContext,
  change: FiltersChange,
): Promise<FiltersView | Refusal<'stale_version' | 'validation_error'>> {
  const { db, clock, workspaceId } = writing
  const [current] = await readFilters(db, [workspaceId])
  const stale = staleness(current?.version ?? 1, change)
  if (stale) return stale
  const lists = await listsFrom(writing, change, { authorsBefore: current?.excludedAuthors ?? [] })
  if (isRefusal(lists)) return lists
  // Platforms are slow, so they are asked before locking.
  const people = await peopleBehind(writing, lists.excludedAuthors ?? [])
  return await db.transaction(async (tx) => {
    const before = await lockFilters(tx, workspaceId)
    const staleNow = staleness(before.version, change)
    if (staleNow) return staleNow
    const after = { ...before, ...lists, ...keysOf(lists.excludedAuthors, people) }
    if (isSame(before, after)) return showFilters(before)
    await notePeople(tx, people, clock.now())
    return showFilters(await storeChange(tx, before, after, clock.now()))
  })
}

/** Stores changed filters as a new version. */
export async function storeChange(
  tx: Transaction,
  before: StoredFilters,
  after: StoredFilters,
  at: Date,
): Promise<StoredFilters> {
  const changed = { ...after, version: before.version + 1, updatedAt: at }
  await storeFilters(tx, changed)
  const data = {
    lists: LISTS.filter((list) => list !== 'excludedAuthorKeys' && !isSame(before, { ...before, [list]: after[list] })),
  }
  await recordAudit(tx, { workspaceId: before.workspaceId, kind: 'filters.updated', target: NO_TARGET, data }, at)
  return changed
}

export function staleness(
  version: number,
  { ifVersion }: Pick<FiltersChange, 'ifVersion'>,
): Refusal<'stale_version'> | null {
  if (ifVersion === undefined || ifVersion === version) return null
  return refuse('stale_version', `The filters have version ${version} by now; read them again`)
}

const LISTS = [
  'excludedTerms',
  'excludedAuthors',
  'excludedAuthorKeys',
  'excludedRepos',
  'subredditsOnly',
  'subredditsExcluded',
] as const

export function isSame(before: StoredFilters, after: StoredFilters): boolean {
  return LISTS.every((list) => JSON.stringify(before[list]) === JSON.stringify(after[list]))
}

function keysOf(entries: readonly string[] | undefined, { identities }: PeopleBehind): Partial<StoredFilters> {
  return entries === undefined ? {} : { excludedAuthorKeys: withIdKeys([...keysWritten(entries)], entries, identities) }
}
