import { authorKeysOf } from '../../domain/person/author-entry.ts'
import type { Platform } from '../../domain/post/platform.ts'
import { platformNumber, SEARCH_PLATFORMS } from '../../domain/post/platform.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createMatcher, type Matcher, type MatchRules, type OwnedMatches, tokens } from '../../matching/index.ts'
import type { MatchedPost } from '../../store/ingest.ts'
import { idSumOf, type WatchedKeyword, type WatchedTotals } from '../../store/watched-keywords.ts'

/** What is known of keywords beside the engine, small enough to be written as JSON. */
export interface Beside {
  /** The workspaces by the number under which the engine knows them as owners. */
  workspaces: Uuid[]
  /** The few keywords that have reached their limit, with the first day of the month for which they have. */
  capped: [Uuid, string][]
  /** The sum over the ids, as `WatchedTotals` has it. */
  idSum: number
}

/** The keywords in the matching engine, in terms of the product. */
export interface WatchedIndex {
  /** Adds a keyword or replaces what was known of it; false when all of it was so already. */
  put(keyword: WatchedKeyword): boolean
  /** Forgets a keyword; false when it was not known. */
  drop(id: Uuid): boolean
  /** The keywords that want the post at this time, with what storing it needs; null when there are none. */
  match(post: Post, at: Date): MatchedPost | null
  /** The same for what another thread found with `searchedTextOf(post)`. */
  describe(post: Post, found: OwnedMatches, at: Date): MatchedPost | null
  /** As the database counts them. */
  readonly totals: WatchedTotals
  readonly matcher: Matcher
  /** What belongs into a snapshot beside the engine's arrays. */
  beside(): Beside
}

export function createWatchedIndex(matcher: Matcher = createMatcher(), beside: Beside = { workspaces: [], capped: [], idSum: 0 }): WatchedIndex {
  const workspaces = [...beside.workspaces]
  const numbers = new Map(workspaces.map((id, number) => [id, number]))
  const capped = new Map<string, string>(beside.capped)
  let { idSum } = beside

  const numberOf = (workspaceId: Uuid): number => {
    const known = numbers.get(workspaceId)
    if (known !== undefined) return known
    const id = ownCopy(workspaceId)
    numbers.set(id, workspaces.length)
    return workspaces.push(id) - 1
  }
  const cap = (id: Uuid, month: string | null): boolean => {
    if ((capped.get(id) ?? null) === month) return false
    if (month === null) capped.delete(id)
    else capped.set(ownCopy(id), ownCopy(month))
    return true
  }
  const describe = (post: Post, { ids, owners }: OwnedMatches, at: Date): MatchedPost | null => {
    if (ids.length === 0) return null
    const month = dayOf(monthStart(at))
    const keywords = []
    for (const [place, id] of ids.entries()) {
      const workspaceId = workspaces[owners[place]!]
      if (workspaceId !== undefined && capped.get(id) !== month) keywords.push({ workspaceId, keywordId: id as Uuid })
    }
    return keywords.length === 0 ? null : matchedPost(post, keywords)
  }
  return {
    put(keyword) {
      const before = matcher.size
      const changed = matcher.put(keyword.id, rulesOf(keyword), numberOf(keyword.workspaceId))
      if (matcher.size > before) idSum += idSumOf(keyword.id)
      return cap(keyword.id, keyword.cappedMonth) || changed
    },
    drop(id) {
      capped.delete(id)
      if (!matcher.remove(id)) return false
      idSum -= idSumOf(id)
      return true
    },
    match: (post, at) => describe(post, matcher.matchOwned(searchedTextOf(post)), at),
    describe,
    get totals() {
      return { count: matcher.size, idSum }
    },
    matcher,
    beside: () => ({ workspaces, capped: [...capped] as [Uuid, string][], idSum }),
  }
}

/**
 * Puts a keyword in place and answers whether that changed anything. One that the engine refuses is left out, with what
 * was known of it before, and named in the log: all others must not wait for it.
 */
export function putOrLeaveOut(index: WatchedIndex, keyword: WatchedKeyword, log: Log): boolean {
  try {
    return index.put(keyword)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    log.error({ err: error, workspace: keyword.workspaceId, keyword: keyword.id }, 'a keyword cannot be looked for and is left out')
    return index.drop(keyword.id)
  }
}

/** A post for keywords that want it, with what storing it needs. */
export function matchedPost(post: Post, keywords: MatchedPost['keywords']): MatchedPost {
  return { post, words: wordsOf(post), authorKeys: authorKeys(post), keywords }
}

export function rulesOf({ term, platforms, matching, excludedAuthorKeys }: WatchedKeyword): MatchRules {
  const { requiredTerms, requiredMode, excludedTerms, caseSensitive } = matching
  return { term, caseSensitive, requiredTerms, requiredMode, excludedTerms, excludedAuthors: excludedAuthorKeys, scopes: scopesOf(platforms) }
}

const ALL_SCOPES = SEARCH_PLATFORMS.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)

function scopesOf(platforms: readonly Platform[] | null): number {
  return platforms === null ? ALL_SCOPES : platforms.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)
}

function authorKeys({ platform, author }: Post): string[] {
  return author ? authorKeysOf(platform, author) : []
}

/** What the search of lists finds a post by: the words of its text and of its author's names. */
function wordsOf(post: Post): string[] {
  return [...new Set([post.title, post.text, post.author?.name, post.author?.handle].flatMap((text) => (text ? tokens(text) : [])))]
}

/** A slice of a string keeps the whole string in memory, and this is kept as long as the service runs. */
function ownCopy<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text
}
