import { handlesOfEntry } from '../../domain/person/handle.ts'
import { parseRepository } from '../../domain/platform/github.ts'
import { parseSubreddit } from '../../domain/platform/reddit.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { FILTER_LIMITS } from '../../domain/workspace/filters.ts'
import { foldTerm } from '../../matching/index.ts'
import { shownAuthor } from '../../queries/filters.ts'
import type { StoredFilters } from '../../store/filter/workspace-filters.ts'
import { authorsOfPosts } from '../keywords/authors-of-posts.ts'
import { termEntryFrom } from '../keywords/rules.ts'
import type { WritingContext } from '../writing.ts'

export interface FilterLists {
  excludedTerms?: readonly string[] | undefined
  excludedAuthors?: readonly string[] | undefined
  excludedRepos?: readonly string[] | undefined
  subreddits?: { only?: readonly string[] | undefined; excluded?: readonly string[] | undefined } | undefined
}

export type NormalLists = Partial<Pick<StoredFilters, (typeof LIST_NAMES)[number]>>

export const LIST_NAMES = [
  'excludedTerms',
  'excludedAuthors',
  'excludedRepos',
  'subredditsOnly',
  'subredditsExcluded',
] as const

/** Folded characters in one phrase of the engine; folding can lengthen a text. */
const FOLDED_MOST = 2000

export async function listsFrom(
  writing: WritingContext,
  lists: FilterLists,
  { authorsBefore, within = '' }: { authorsBefore: readonly string[]; within?: string },
): Promise<NormalLists | Refusal<'validation_error'>> {
  const { excludedTerms, excludedAuthors, excludedRepos, subreddits = {} } = lists
  const authors =
    excludedAuthors && (await authorsFrom(writing, `${within}excludedAuthors`, excludedAuthors, authorsBefore))
  const normal = {
    excludedTerms: eachOf(`${within}excludedTerms`, excludedTerms, termFrom),
    excludedAuthors: authors,
    excludedRepos: eachOf(
      `${within}excludedRepos`,
      excludedRepos,
      (field, entry) => parseRepository(entry) ?? refuseField(field, 'must be a repository: owner/name'),
    ),
    subredditsOnly: eachOf(`${within}subreddits.only`, subreddits.only, subredditFrom),
    subredditsExcluded: eachOf(`${within}subreddits.excluded`, subreddits.excluded, subredditFrom),
  }
  const given: NormalLists = {}
  for (const [name, list] of Object.entries(normal)) {
    if (isRefusal(list)) return list
    if (list !== undefined) given[name as keyof NormalLists] = list
  }
  return given
}

type EntryReader = (field: string, entry: string) => string | Refusal<'validation_error'>

function eachOf(
  field: string,
  entries: readonly string[] | undefined,
  read: EntryReader,
): string[] | undefined | Refusal<'validation_error'> {
  if (entries === undefined) return undefined
  const normal = new Set<string>()
  for (const [place, entry] of entries.entries()) {
    const item = read(`${field}.${place}`, entry)
    if (isRefusal(item)) return item
    normal.add(item)
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

/** Stored as shown, so that a list can be read and sent back. */
function within(field: string, entry: string): string | Refusal<'validation_error'> {
  return [...entry].length > FILTER_LIMITS.entryMax ? refuseField(field, TOO_LONG) : entry
}

function subredditFrom(field: string, entry: string): string | Refusal<'validation_error'> {
  return parseSubreddit(entry) ?? refuseField(field, 'must be a subreddit: its name or a link to it')
}

/**
 * The link of a stored post becomes the profiles of its author. A shown name that stands for a handle turns back into
 * the handle.
 */
async function authorsFrom(
  { db, workspaceId }: WritingContext,
  list: string,
  entries: readonly string[],
  before: readonly string[],
): Promise<string[] | Refusal<'validation_error'>> {
  const linked = await authorsOfPosts(db, workspaceId, entries)
  const written = new Map(before.map((entry) => [shownAuthor(entry), entry]))
  const kept = new Map<string, string>()
  for (const [place, given] of entries.entries()) {
    const field = `${list}.${place}`
    const entry = given.trim()
    const parsed = parseAuthorEntry(entry)
    const profiles = linked.get(given)
    if ('invalid' in parsed) return refuseField(field, parsed.invalid)
    const tooLong = 'normal' in parsed && within(field, parsed.normal)
    if (isRefusal(tooLong)) return tooLong
    if ('normal' in parsed)
      kept.set(parsed.normal, namingMost([entry, kept.get(parsed.normal), written.get(parsed.normal)]))
    else if (profiles) for (const profile of profiles) kept.set(profile, profile)
    else return refuseField(field, 'this link does not name its author; send the profile link, the @handle or the name')
  }
  if (kept.size > FILTER_LIMITS.entries)
    return refuseField(
      list,
      `must have at most ${FILTER_LIMITS.entries} entries, links of posts counted by the profiles of their authors`,
    )
  return [...kept.values()]
}

/** Of entries that are shown alike, the one that names most handles, then the first. */
function namingMost([first, ...others]: readonly [string, ...(string | undefined)[]]): string {
  return others.reduce<string>(
    (most, entry) => (entry !== undefined && handlesOfEntry(entry).length > handlesOfEntry(most).length ? entry : most),
    first,
  )
}
