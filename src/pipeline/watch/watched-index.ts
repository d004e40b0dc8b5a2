import { authorKeysOfPost, wordsOfPost } from '../../commands/mentions/search-words.ts'
import { REJECTION_REASONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import type { MatchedPost, Wanting } from '../../domain/mention/matched-post.ts'
import { platformBits, SEARCH_PLATFORMS } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { ownCopy } from '../../kernel/text.ts'
import { createMatcher, type Drop, type Matcher, type MatchRules, type OwnedMatches } from '../../matching/index.ts'
import { idSumOf, type WatchedKeyword, type WatchedTotals } from '../../store/keyword/watched-keywords.ts'

export interface Beside {
  workspaces: Uuid[]
  /** The few keywords at their cap, with the first day of the capped month. */
  capped: [Uuid, string][]
  idSum: number
}

export interface DropListener {
  mayLook(): boolean
  /** Keywords that want no more are skipped until `tellOfAll`. */
  readonly wants: (keywordId: string) => boolean
  dropped(post: Post, keyword: Wanting, reason: RejectionReason): void
}

export class WatchedIndex {
  readonly matcher: Matcher
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

  get totals(): WatchedTotals {
    return { count: this.matcher.size, idSum: this.idSum }
  }

  beside(): Beside {
    return { workspaces: this.workspaces, capped: [...this.capped] as [Uuid, string][], idSum: this.idSum }
  }

  put(keyword: WatchedKeyword): boolean {
    const before = this.matcher.size
    const changed = this.matcher.put(keyword.id, rulesOf(keyword), this.numberOf(keyword.workspaceId))
    if (this.matcher.size > before) this.idSum += idSumOf(keyword.id)
    return this.cap(keyword.id, keyword.cappedMonth) || changed
  }

  drop(id: Uuid): boolean {
    this.capped.delete(id)
    if (!this.matcher.remove(id)) return false
    this.idSum -= idSumOf(id)
    return true
  }

  match(post: Post, at: Date, listener?: DropListener): MatchedPost | null {
    const { matcher } = this
    const text = searchedTextOf(post)
    const found = matcher.matchOwned(text)
    if (listener && matcher.dropped > 0 && listener.mayLook())
      this.tellDrops(post, matcher.drops(text, listener.wants), listener)
    return this.describe(post, found, at, listener)
  }

  /** Like `match`. The other thread reports drops itself. */
  describe(post: Post, { ids, owners }: OwnedMatches, at: Date, listener?: DropListener): MatchedPost | null {
    if (ids.length === 0) return null
    const month = dayOf(monthStart(at))
    const keywords = []
    for (const [place, id] of ids.entries()) {
      const workspaceId = this.workspaces[owners[place]!]
      if (workspaceId === undefined) continue
      if (this.capped.get(id) !== month) keywords.push({ workspaceId, keywordId: id as Uuid })
      else listener?.dropped(post, { workspaceId, keywordId: id as Uuid }, 'cap')
    }
    return keywords.length === 0 ? null : matchedPost(post, keywords)
  }

  tellDrops(post: Post, drops: readonly Drop[], listener: DropListener): void {
    for (const { id, owner, verdict } of drops) {
      const workspaceId = this.workspaces[owner]
      if (workspaceId !== undefined && isReason(verdict))
        listener.dropped(post, { workspaceId, keywordId: id as Uuid }, verdict)
    }
  }

  private numberOf(workspaceId: Uuid): number {
    const known = this.numbers.get(workspaceId)
    if (known !== undefined) return known
    const id = ownCopy(workspaceId)
    this.numbers.set(id, this.workspaces.length)
    return this.workspaces.push(id) - 1
  }

  private cap(id: Uuid, month: string | null): boolean {
    if ((this.capped.get(id) ?? null) === month) return false
    if (month === null) this.capped.delete(id)
    else this.capped.set(ownCopy(id), ownCopy(month))
    return true
  }
}

/** Verdicts of which a sample is kept, which exclude posts that merely are elsewhere. */
export function isReason(verdict: string): verdict is RejectionReason {
  return REJECTION_REASONS.some((reason) => reason === verdict)
}

/** A keyword that the engine refuses is removed and logged, so that it does not hold up the others. */
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
    scopes: platforms === null ? ALL_SCOPES : platformBits(platforms),
  }
}

const ALL_SCOPES = platformBits(SEARCH_PLATFORMS)
