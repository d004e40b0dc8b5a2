import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { shownAuthor } from '../../queries/filters.ts'
import type { Transaction } from '../../store/database.ts'
import { lockFilters, readFilters, type StoredFilters } from '../../store/filter/workspace-filters.ts'
import { readIdentities } from '../../store/mention/author-identities.ts'
import { handlesIn, keysWritten, notePeople, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import type { WritingContext } from '../writing.ts'
import { type FilterLists, LIST_NAMES, listsFrom, type NormalLists } from './lists.ts'
import { isSame, staleness, storeChange } from './update-filters.ts'

export interface EntriesChange {
  add: FilterLists
  remove: FilterLists
  ifVersion?: number | undefined
}

export interface ChangedEntries {
  added: number
  removed: number
  entries: {
    excludedTerms: number
    excludedAuthors: number
    excludedRepos: number
    subreddits: { only: number; excluded: number }
  }
  version: number
  updatedAt: string
}

/** Adds and removes entries of the filter lists. Missing and existing entries are ignored. */
export async function changeEntries(
  writing: WritingContext,
  change: EntriesChange,
): Promise<ChangedEntries | Refusal<'stale_version' | 'validation_error'>> {
  const changed = await changeLists(writing, change)
  return isRefusal(changed) ? changed : shown(changed.before, changed.after)
}

/** The lists around a change. */
export interface ChangedLists {
  before: StoredFilters
  after: StoredFilters
}

/** The lists as they would become; decides while nobody else can change them. */
export type ListsJudge = (before: StoredFilters, merged: MergedLists) => MergedLists | Refusal<'validation_error'>

/** As `changeEntries`, with the lists themselves. */
export async function changeLists(
  writing: WritingContext,
  change: EntriesChange,
  judge: ListsJudge = (_before, merged) => merged,
): Promise<ChangedLists | Refusal<'stale_version' | 'validation_error'>> {
  const { db, clock, workspaceId } = writing
  const [current] = await readFilters(db, [workspaceId])
  const stale = staleness(current?.version ?? 1, change)
  if (stale) return stale
  if (sizeOf(change.add) + sizeOf(change.remove) > FILTER_LIMITS.entriesAtOnce)
    return refuseField('add', `must have at most ${FILTER_LIMITS.entriesAtOnce} entries, together with those of remove`)
  const authorsBefore = current?.excludedAuthors ?? []
  const adding = await listsFrom(writing, change.add, { authorsBefore, within: 'add.' })
  if (isRefusal(adding)) return adding
  const removing = await listsFrom(writing, change.remove, { authorsBefore, within: 'remove.' })
  if (isRefusal(removing)) return removing
  // Platforms are slow, so they are asked before locking.
  const people = await peopleBehind(writing, adding.excludedAuthors ?? [])
  return await db.transaction(async (tx) => {
    const before = await lockFilters(tx, workspaceId)
    const staleNow = staleness(before.version, change)
    if (staleNow) return staleNow
    const entries = merge(before, adding, removing)
    const merged = isRefusal(entries) ? entries : judge(before, entries)
    if (isRefusal(merged)) return merged
    await notePeople(tx, people, clock.now())
    const after = { ...before, ...merged, excludedAuthorKeys: await authorKeysOf(tx, merged.excludedAuthors) }
    if (isSame(before, after)) return { before, after: before }
    return { before, after: await storeChange(tx, before, after, clock.now()) }
  })
}

function sizeOf({
  excludedTerms = [],
  excludedAuthors = [],
  excludedRepos = [],
  subreddits = {},
}: FilterLists): number {
  const { only = [], excluded = [] } = subreddits
  return [excludedTerms, excludedAuthors, excludedRepos, only, excluded].reduce((size, list) => size + list.length, 0)
}

const PATHS = {
  excludedTerms: 'excludedTerms',
  excludedAuthors: 'excludedAuthors',
  excludedRepos: 'excludedRepos',
  subredditsOnly: 'subreddits.only',
  subredditsExcluded: 'subreddits.excluded',
} as const satisfies Record<(typeof LIST_NAMES)[number], string>

const itself = (entry: string) => entry

/** Entries are equal by these forms; people are compared as they are shown. */
const FORMS: Readonly<Record<(typeof LIST_NAMES)[number], (entry: string) => string>> = {
  excludedTerms: itself,
  excludedAuthors: shownAuthor,
  excludedRepos: itself,
  subredditsOnly: itself,
  subredditsExcluded: itself,
}

export type MergedLists = Required<NormalLists>

function merge(
  before: StoredFilters,
  adding: NormalLists,
  removing: NormalLists,
): MergedLists | Refusal<'validation_error'> {
  const merged: Partial<MergedLists> = {}
  for (const name of LIST_NAMES) {
    const formOf = FORMS[name]
    const entries = new Map(before[name].map((entry) => [formOf(entry), entry]))
    for (const entry of removing[name] ?? []) entries.delete(formOf(entry))
    for (const entry of adding[name] ?? []) entries.set(formOf(entry), entry)
    if (entries.size > FILTER_LIMITS.entries)
      return refuseField(`add.${PATHS[name]}`, `would make the list longer than ${FILTER_LIMITS.entries} entries`)
    merged[name] = [...entries.values()]
  }
  return merged as MergedLists
}

/** Includes the ids that are known behind handles. */
async function authorKeysOf(tx: Transaction, entries: readonly string[]): Promise<string[]> {
  const handles = handlesIn(entries)
  const identities = handles.length === 0 ? [] : await readIdentities(tx, handles)
  return withIdKeys([...keysWritten(entries)], entries, identities)
}

function shown(before: StoredFilters, after: StoredFilters): ChangedEntries {
  const missing = (from: StoredFilters, to: StoredFilters) =>
    LIST_NAMES.reduce((count, name) => {
      const formOf = FORMS[name]
      const there = new Set(to[name].map(formOf))
      return count + from[name].filter((entry) => !there.has(formOf(entry))).length
    }, 0)
  return {
    added: missing(after, before),
    removed: missing(before, after),
    entries: {
      excludedTerms: after.excludedTerms.length,
      excludedAuthors: after.excludedAuthors.length,
      excludedRepos: after.excludedRepos.length,
      subreddits: { only: after.subredditsOnly.length, excluded: after.subredditsExcluded.length },
    },
    version: after.version,
    updatedAt: after.updatedAt.toISOString(),
  }
}
