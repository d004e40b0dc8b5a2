import { authorKeysOfPost, wordsOfPost } from '../../commands/mentions/search-words.ts'
import { REJECTION_REASONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import type { Platform } from '../../domain/platform/platforms.ts'
import { platformNumber, SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { ownCopy } from '../../kernel/text.ts'
import { createMatcher, type Drop, type Matcher, type MatchRules, type OwnedMatches } from '../../matching/index.ts'
import { idSumOf, type WatchedKeyword, type WatchedTotals } from '../../store/keyword/watched-keywords.ts'

/** What is known of keywords beside the engine, small enough to be written as JSON. */
export interface Beside {
  /** The workspaces by the number under which the engine knows them as owners. */
  workspaces: Uuid[]
  /** The few keywords that have reached their limit, with the first day of the month for which they have. */
  capped: [Uuid, string][]
  /** The sum over the ids, as `WatchedTotals` has it. */
  idSum: number
}

/** Who wants to know for whom posts are dropped that hold a term. */
export interface DropListener {
  /** Whether it is worth while to find out now. */
  mayLook(): boolean
  /**
   * Whether more of a keyword is wanted; those of which nothing is wanted are left out until the matcher is to tell of
   * all again.
   */
  readonly wants: (keywordId: string) => boolean
  dropped(post: Post, keyword: Wanting, reason: RejectionReason): void
}

/** The keywords in the matching engine, in terms of the product. */
export class WatchedIndex {
  readonly matcher: Matcher
  /** The workspaces by their number as owners, and the other way around. */
  private readonly workspaces: Uuid[]
  private readonly numbers: Map<Uuid, number>
  private readonly capped: Map<string, string>
  private idSum: number

  constructor(matcher: Matcher = createMatcher(), beside: Beside = { workspaces: [], capped: [], idSum: 0 }) {
    this.matcher = matcher
    this.workspaces = [...beside.workspaces]
    this.numbers = new Map(this.workspaces.map((id, number) => [id, number]))
    this.capped = new Map(beside.capped)
    this.idSum = beside.idSum
  }

  /** As the database counts them. */
  get totals(): WatchedTotals {
    return { count: this.matcher.size, idSum: this.idSum }
  }

  /** What belongs into a snapshot beside the engine's arrays. */
  beside(): Beside {
    return { workspaces: this.workspaces, capped: [...this.capped] as [Uuid, string][], idSum: this.idSum }
  }

  /** Adds a keyword or replaces what was known of it; false when all of it was so already. */
  put(keyword: WatchedKeyword): boolean {
    const before = this.matcher.size
    const changed = this.matcher.put(keyword.id, rulesOf(keyword), this.numberOf(keyword.workspaceId))
    if (this.matcher.size > before) this.idSum += idSumOf(keyword.id)
    return this.cap(keyword.id, keyword.cappedMonth) || changed
  }

  /** Forgets a keyword; false when it was not known. */
  drop(id: Uuid): boolean {
    this.capped.delete(id)
    if (!this.matcher.remove(id)) return false
    this.idSum -= idSumOf(id)
    return true
  }

  /** The keywords that want the post at this time, with what storing it needs; null when there are none. */
  match(post: Post, at: Date, told?: DropListener): MatchedPost | null {
    const { matcher } = this
    const text = searchedTextOf(post)
    const found = matcher.matchOwned(text)
    if (told && matcher.dropped > 0 && told.mayLook()) this.tellDrops(post, matcher.drops(text, told.wants), told)
    return this.describe(post, found, at, told)
  }

  /** The same for what another thread found with `searchedTextOf(post)`; that thread tells of drops itself. */
  describe(post: Post, { ids, owners }: OwnedMatches, at: Date, told?: DropListener): MatchedPost | null {
    if (ids.length === 0) return null
    const month = dayOf(monthStart(at))
    const keywords = []
    for (const [place, id] of ids.entries()) {
      const workspaceId = this.workspaces[owners[place]!]
      if (workspaceId === undefined) continue
      if (this.capped.get(id) !== month) keywords.push({ workspaceId, keywordId: id as Uuid })
      else told?.dropped(post, { workspaceId, keywordId: id as Uuid }, 'cap')
    }
    return keywords.length === 0 ? null : matchedPost(post, keywords)
  }

  /** Tells for whom another thread found a post dropped. */
  tellDrops(post: Post, drops: readonly Drop[], told: DropListener): void {
    for (const { id, owner, verdict } of drops) {
      const workspaceId = this.workspaces[owner]
      if (workspaceId !== undefined && isReason(verdict))
        told.dropped(post, { workspaceId, keywordId: id as Uuid }, verdict)
    }
  }

  private numberOf(workspaceId: Uuid): number {
    const known = this.numbers.get(workspaceId)
    if (known !== undefined) return known
    const id = ownCopy(workspaceId)
    this.numbers.set(id, this.workspaces.length)
    return this.workspaces.push(id) - 1
  }

  /** Notes the month for which a keyword has reached its limit; false when it is known. */
  private cap(id: Uuid, month: string | null): boolean {
    if ((this.capped.get(id) ?? null) === month) return false
    if (month === null) this.capped.delete(id)
    else this.capped.set(ownCopy(id), ownCopy(month))
    return true
  }
}

/** Whether a verdict is one of which a sample is kept: not where a post merely stands elsewhere. */
export function isReason(verdict: string): verdict is RejectionReason {
  return REJECTION_REASONS.some((reason) => reason === verdict)
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
    log.error(
      { event: 'keyword.invalid', err: error, workspace: keyword.workspaceId, keyword: keyword.id },
      'A keyword cannot be matched and is left out',
    )
    return index.drop(keyword.id)
  }
}

/** A post for keywords that want it, with what storing it needs. */
export function matchedPost(post: Post, keywords: MatchedPost['keywords']): MatchedPost {
  return { post, words: wordsOfPost(post), authorKeys: authorKeysOfPost(post), keywords }
}

export function rulesOf({ term, platforms, matching, excludedAuthorKeys }: WatchedKeyword): MatchRules {
  const { requiredTerms, requiredMode, excludedTerms, caseSensitive } = matching
  return {
    term,
    caseSensitive,
    requiredTerms,
    requiredMode,
    excludedTerms,
    excludedAuthors: excludedAuthorKeys,
    scopes: scopesOf(platforms),
  }
}

const ALL_SCOPES = SEARCH_PLATFORMS.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)

function scopesOf(platforms: readonly Platform[] | null): number {
  return platforms === null
    ? ALL_SCOPES
    : platforms.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)
}
