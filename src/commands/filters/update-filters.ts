import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { parseAuthorEntry, parseRepository, parseSubreddit } from '../../domain/person/author-entry.ts'
import { handlesOfEntry } from '../../domain/person/handle.ts'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../kernel/refusal.ts'
import { foldTerm } from '../../matching/index.ts'
import { type FiltersView, showFilters, shownAuthor } from '../../queries/filters.ts'
import { recordAudit } from '../../store/audit.ts'
import { lockFilters, readFilters, type StoredFilters, storeFilters } from '../../store/workspace-filters.ts'
import { keysWritten, notePeople, type PeopleBehind, peopleBehind, withIdKeys } from '../authors/handle-keys.ts'
import { authorsOfPosts } from '../keywords/look-ups.ts'
import { termEntryFrom } from '../keywords/rules.ts'
import type { Writing } from '../writing.ts'

/** The lists that callers set anew; one that is absent stays, an empty one clears. */
export interface FiltersChange {
  excludedTerms?: readonly string[] | undefined
  excludedAuthors?: readonly string[] | undefined
  excludedRepos?: readonly string[] | undefined
  subreddits?: { only?: readonly string[] | undefined; excluded?: readonly string[] | undefined } | undefined
  /** The version that the caller has read. */
  ifVersion?: number | undefined
}

/** Folded characters that the engine takes in one phrase; few characters stand for many. */
const FOLDED_MOST = 2000

/** Changes the filters. New mentions follow within a minute; stored mentions stay. A change that changes nothing is none. */
export async function updateFilters(writing: Writing, change: FiltersChange): Promise<FiltersView | Refusal<'stale_version' | 'validation_error'>> {
  const { db, clock, workspaceId } = writing
  const [current] = await readFilters(db, [workspaceId])
  const stale = staleness(current?.version ?? 1, change)
  if (stale) return stale
  const lists = await listsFrom(writing, change, current?.excludedAuthors ?? [])
  if (isRefusal(lists)) return lists
  // Platforms are asked before anything is locked, because they take their time.
  const people = await peopleBehind(writing, lists.excludedAuthors ?? [])
  return await db.transaction(async (tx) => {
    const before = await lockFilters(tx, workspaceId)
    const staleNow = staleness(before.version, change)
    if (staleNow) return staleNow
    const after = { ...before, ...lists, ...keysOf(lists.excludedAuthors, people) }
    if (isSame(before, after)) return showFilters(before)
    const changed = { ...after, version: before.version + 1, updatedAt: clock.now() }
    await storeFilters(tx, changed)
    const data = { lists: LISTS.filter((list) => list !== 'excludedAuthorKeys' && !isSame(before, { ...before, [list]: after[list] })) }
    await recordAudit(tx, { workspaceId, kind: 'filters.updated', target: NO_TARGET, data }, changed.updatedAt)
    await notePeople(tx, people, clock.now())
    return showFilters(changed)
  })
}

function staleness(version: number, { ifVersion }: FiltersChange): Refusal<'stale_version'> | null {
  if (ifVersion === undefined || ifVersion === version) return null
  return refuse('stale_version', `The filters have version ${version} by now; read them again`)
}

const LISTS = ['excludedTerms', 'excludedAuthors', 'excludedAuthorKeys', 'excludedRepos', 'subredditsOnly', 'subredditsExcluded'] as const
type Lists = Partial<Pick<StoredFilters, Exclude<(typeof LISTS)[number], 'excludedAuthorKeys'>>>

function isSame(before: StoredFilters, after: StoredFilters): boolean {
  return LISTS.every((list) => JSON.stringify(before[list]) === JSON.stringify(after[list]))
}

function keysOf(entries: readonly string[] | undefined, { identities }: PeopleBehind): Partial<StoredFilters> {
  return entries === undefined ? {} : { excludedAuthorKeys: withIdKeys([...keysWritten(entries)], entries, identities) }
}

/** The lists that are sent in their normal form, without repeats; or which entry is wrong, and why. */
async function listsFrom(writing: Writing, change: FiltersChange, authorsBefore: readonly string[]): Promise<Lists | Refusal<'validation_error'>> {
  const { excludedTerms, excludedAuthors, excludedRepos, subreddits = {} } = change
  const authors = excludedAuthors && (await authorsFrom(writing, excludedAuthors, authorsBefore))
  const lists = {
    excludedTerms: eachOf('excludedTerms', excludedTerms, termFrom),
    excludedAuthors: authors,
    excludedRepos: eachOf('excludedRepos', excludedRepos, (field, entry) => parseRepository(entry) ?? refuseField(field, 'must be a repository: owner/name')),
    subredditsOnly: eachOf('subreddits.only', subreddits.only, subredditFrom),
    subredditsExcluded: eachOf('subreddits.excluded', subreddits.excluded, subredditFrom),
  }
  const given: Lists = {}
  for (const [name, list] of Object.entries(lists)) {
    if (isRefusal(list)) return list
    if (list !== undefined) given[name as keyof Lists] = list
  }
  return given
}

type EntryReader = (field: string, entry: string) => string | Refusal<'validation_error'>

function eachOf(field: string, entries: readonly string[] | undefined, read: EntryReader): string[] | undefined | Refusal<'validation_error'> {
  if (entries === undefined) return undefined
  const normal = new Set<string>()
  for (const [place, entry] of entries.entries()) {
    const one = read(`${field}.${place}`, entry)
    if (isRefusal(one)) return one
    normal.add(one)
  }
  return [...normal]
}

function termFrom(field: string, entry: string): string | Refusal<'validation_error'> {
  const term = termEntryFrom(field, entry, { wildcards: true, max: FILTER_LIMITS.entryMax })
  if (isRefusal(term)) return term
  if (foldTerm(term).length > FOLDED_MOST) return refuseField(field, TOO_LONG)
  return within(field, term.toLowerCase())
}

const TOO_LONG = 'is too long once its characters are written out'

/** An entry as it is kept and shown, so that a list that was read can be sent back. */
function within(field: string, entry: string): string | Refusal<'validation_error'> {
  return [...entry].length > FILTER_LIMITS.entryMax ? refuseField(field, TOO_LONG) : entry
}

function subredditFrom(field: string, entry: string): string | Refusal<'validation_error'> {
  return parseSubreddit(entry) ?? refuseField(field, 'must be a subreddit: its name or a link to it')
}

/**
 * The people as they are kept. The link of a post that the workspace has becomes the profiles of its author. A name that
 * was shown in place of a handle, and comes back as it was shown, stays the handle.
 */
async function authorsFrom(
  { db, workspaceId }: Writing,
  entries: readonly string[],
  before: readonly string[],
): Promise<string[] | Refusal<'validation_error'>> {
  const linked = await authorsOfPosts(db, workspaceId, entries)
  const written = new Map(before.map((entry) => [shownAuthor(entry), entry]))
  const kept = new Map<string, string>()
  for (const [place, given] of entries.entries()) {
    const field = `excludedAuthors.${place}`
    const entry = given.trim()
    const parsed = parseAuthorEntry(entry)
    const profiles = linked.get(given)
    if ('invalid' in parsed) return refuseField(field, parsed.invalid)
    const tooLong = 'normal' in parsed && within(field, parsed.normal)
    if (isRefusal(tooLong)) return tooLong
    if ('normal' in parsed) kept.set(parsed.normal, namingMost([entry, kept.get(parsed.normal), written.get(parsed.normal)]))
    else if (profiles) for (const profile of profiles) kept.set(profile, profile)
    else return refuseField(field, 'this link does not name its author; give the profile link, the @handle or the name')
  }
  if (kept.size > FILTER_LIMITS.entries)
    return refuseField('excludedAuthors', `must have at most ${FILTER_LIMITS.entries} entries, links of posts counted by the profiles of their authors`)
  return [...kept.values()]
}

/** Of entries that are shown alike the one that names the most handles, the first of those that name equally many. */
function namingMost([first, ...others]: readonly [string, ...(string | undefined)[]]): string {
  return others.reduce<string>((most, entry) => (entry !== undefined && handlesOfEntry(entry).length > handlesOfEntry(most).length ? entry : most), first)
}
