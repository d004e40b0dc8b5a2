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

/** What callers may change of a keyword; what is absent stays. */
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

/** A change whose review pages are read. They are null when they stay. */
export interface ReadChange {
  change: KeywordChange
  pages: readonly NamedPage[] | null | Refusal<'validation_error'>
}

export function readChange(change: KeywordChange): ReadChange {
  return { change, pages: change.reviewSources === undefined ? null : parseReviewPages(change.reviewSources) }
}

/** What a keyword looks for after a change. */
interface RulesAfter {
  matching: Matching
  platforms: SearchPlatform[] | null
  pages: readonly NamedPage[] | null
}

/** The rules after a change, as far as the request and the keyword tell; or what is wrong with them. */
export function rulesAfter(current: Keyword, { change, pages }: ReadChange): RulesAfter | Refusal<'validation_error'> {
  const matching = matchingFrom(change.matching ?? {}, current.matching)
  if (isRefusal(matching)) return matching
  if (isRefusal(pages)) return pages
  const platforms =
    change.platforms === undefined ? current.platforms : change.platforms && [...new Set(change.platforms)]
  if (platforms?.length !== 0 || (pages ?? current.reviewSources).length > 0) return { matching, platforms, pages }
  return change.platforms === undefined
    ? refuseField('reviewSources', 'must not be empty while platforms is: the keyword would collect nothing')
    : refuseField('platforms', 'an empty list needs reviewSources: the keyword would collect nothing')
}

/** What only platforms, or what is stored, can tell of a change. */
export interface FoundOut {
  /** The people whom the keyword excludes from now on, in the form that is compared; null when they stay. */
  excludedKeys: readonly string[] | null
  pages: KnownPages
}

/** What decides over the running state of a keyword. */
export interface Facts {
  monthCount: number
  welcomeLimits: boolean
  metered: boolean
}

/** The keyword with everything that the change says of it, its running state apart. */
export function describe(
  current: Keyword,
  read: ReadChange,
  found: FoundOut,
  facts: Facts,
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

/** While the welcome credit limits every keyword, naming its limit chooses nothing. */
function capOwnFrom({ cap }: KeywordChange, current: Keyword, { welcomeLimits, metered }: Facts): number | null {
  if (cap === undefined) return current.capOwn
  if (cap === null) return null
  return metered && welcomeLimits && cap.mentions === KEYWORD_LIMITS.welcomeCap ? current.capOwn : cap.mentions
}

/**
 * True when what was matched before says little about what will be matched from now on. Another context only changes
 * the scores.
 */
function changesCollection(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, matching }: Keyword) => JSON.stringify([platforms, matching])
  return view(before) !== view(after)
}

/** True when something changed that may have made the noise: a keyword stopped for noise then tries again. */
function mayEndNoise(before: Keyword, after: Keyword): boolean {
  const view = ({ platforms, context, matching: { requiredTerms, requiredMode, excludedTerms } }: Keyword) =>
    JSON.stringify([platforms, context, requiredTerms, requiredMode, excludedTerms])
  return view(before) !== view(after)
}

/** What the change means for the running state, in the order in which it happens. */
export function triggersOf(
  current: Keyword,
  described: Keyword,
  change: KeywordChange,
  facts: Facts,
): KeywordTrigger[] {
  const cap = monthlyLimit({ ...facts, capOwn: described.capOwn }, facts.metered)
  const triggers: KeywordTrigger[] = []
  if (change.cap !== undefined) triggers.push({ kind: 'cap_changed', cap, monthCount: facts.monthCount })
  if (mayEndNoise(current, described)) triggers.push({ kind: 'rules_changed' })
  // Also of one that is muted: the caller's wish takes the place of whatever else had stopped it.
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
