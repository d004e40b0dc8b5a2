import {
  KEYWORD_LIMITS,
  type Keyword,
  type KeywordKind,
  type Matching,
  monthlyLimit,
} from '../../domain/keyword/keyword.ts'
import {
  type KeywordEvent,
  type KeywordTrigger,
  type RunningState,
  stepRunning,
} from '../../domain/keyword/lifecycle.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import {
  connectedPages,
  type KnownPages,
  type NamedPage,
  parseReviewPages,
  type ReviewSourceInput,
} from './review-pages.ts'
import { type MatchingInput, matchingFrom } from './rules.ts'

export interface KeywordChange {
  kind?: KeywordKind | undefined
  muted?: boolean | undefined
  platforms?: SearchPlatform[] | null | undefined
  context?: string | null | undefined
  matching?: MatchingInput | undefined
  cap?: { mentions: number } | null | undefined
  groupId?: Uuid | undefined
  reviewSources?: readonly ReviewSourceInput[] | undefined
}

/** `pages` is null when they stay. */
export interface ReadChange {
  change: KeywordChange
  pages: readonly NamedPage[] | null | Refusal<'validation_error'>
}

export function readChange(change: KeywordChange): ReadChange {
  return { change, pages: change.reviewSources === undefined ? null : parseReviewPages(change.reviewSources) }
}

interface RulesAfter {
  matching: Matching
  platforms: SearchPlatform[] | null
  pages: readonly NamedPage[] | null
}

/** The new rules, as far as the request and the keyword decide them. */
export function rulesAfter(current: Keyword, { change, pages }: ReadChange): RulesAfter | Refusal<'validation_error'> {
  const matching = matchingFrom(change.matching ?? {}, current.matching)
  if (isRefusal(matching)) return matching
  if (isRefusal(pages)) return pages
  const platforms =
    change.platforms === undefined ? current.platforms : change.platforms && [...new Set(change.platforms)]
  if (platforms?.length !== 0 || (pages ?? current.reviewSources).length > 0) return { matching, platforms, pages }
  return change.platforms === undefined
    ? refuseField('reviewSources', 'must not be empty while `platforms` is: the keyword would collect nothing')
    : refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
}

export interface FoundOut {
  /** Normal forms of the excluded people; null when they stay. */
  excludedKeys: readonly string[] | null
  pages: KnownPages
}

export interface KeywordFacts {
  monthCount: number
  welcomeLimits: boolean
  metered: boolean
}

/** Applies the change except to the running state. */
export function describe(
  current: Keyword,
  read: ReadChange,
  found: FoundOut,
  facts: KeywordFacts,
  at: Date,
): Keyword | Refusal<'validation_error'> {
  const rules = rulesAfter(current, read)
  if (isRefusal(rules)) return rules
  const reviewSources =
    rules.pages === null
      ? current.reviewSources
      : connectedPages(rules.pages, found.pages, { current: current.reviewSources, at })
  if (isRefusal(reviewSources)) return reviewSources
  const { change } = read
  const described = {
    ...current,
    kind: change.kind ?? current.kind,
    platforms: rules.platforms,
    context: change.context === undefined ? current.context : change.context,
    matching: rules.matching,
    excludedAuthorKeys: found.excludedKeys === null ? current.excludedAuthorKeys : [...found.excludedKeys],
    capOwn: capOwnFrom(change, current, facts),
    groupId: change.groupId ?? current.groupId,
    reviewSources,
  }
  const collectsAnew = changesCollection(current, described)
  return {
    ...described,
    judgedSince: collectsAnew || described.context !== current.context ? at : current.judgedSince,
    collectsSince: collectsAnew ? at : current.collectsSince,
  }
}

/** Setting a cap equal to the welcome limit while that applies sets no cap. */
function capOwnFrom({ cap }: KeywordChange, current: Keyword, { welcomeLimits, metered }: KeywordFacts): number | null {
  if (cap === undefined) return current.capOwn
  if (cap === null) return null
  return metered && welcomeLimits && cap.mentions === KEYWORD_LIMITS.welcomeCap ? current.capOwn : cap.mentions
}

/** True when past matches say little about future ones. A new context only changes scores. */
function changesCollection(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, matching }: Keyword) => JSON.stringify([platforms, matching])
  return view(before) !== view(after)
}

/** True when the change may end the noise, so that a keyword stopped for noise runs again. */
function mayEndNoise(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, context, matching: { requiredTerms, requiredMode, excludedTerms } }: Keyword) =>
    JSON.stringify([platforms, context, requiredTerms, requiredMode, excludedTerms])
  return view(before) !== view(after)
}

/** In the order in which they apply. */
export function triggersOf(
  current: Keyword,
  described: Keyword,
  change: KeywordChange,
  facts: KeywordFacts,
): KeywordTrigger[] {
  const cap = monthlyLimit({ ...facts, capOwn: described.capOwn }, facts.metered)
  const triggers: KeywordTrigger[] = []
  if (change.cap !== undefined) triggers.push({ kind: 'cap_changed', cap, monthCount: facts.monthCount })
  if (mayEndNoise(current, described)) triggers.push({ kind: 'rules_changed' })
  // Also for a muted keyword: the caller's choice replaces any other reason.
  if (change.muted === true) triggers.push({ kind: 'mute' })
  if (change.muted === false && current.muted) triggers.push({ kind: 'unmute' })
  return triggers
}

export function run(
  current: Keyword,
  described: Keyword,
  triggers: readonly KeywordTrigger[],
): { keyword: Keyword; events: KeywordEvent[] } {
  const events: KeywordEvent[] = []
  let state: RunningState = current
  for (const trigger of triggers) {
    const next = stepRunning(state, trigger)
    state = next.state
    if (next.event) events.push(next.event)
  }
  const { muted, pausedForBalance, pausedForNoise, pausedForCap } = state
  return { keyword: { ...described, muted, pausedForBalance, pausedForNoise, pausedForCap }, events }
}
