import type { Matching } from '../../domain/keyword/keyword.ts'
import { EVERY_PLATFORM_BIT } from '../../domain/platform/platforms.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { createJudge, type MatchJudgement, type MatchRules } from '../../matching/index.ts'
import { keysWritten, type PeopleBehind, withIdKeys } from '../authors/handle-keys.ts'

export interface Explained {
  matched: boolean
  /** Names the rule that drops the post; null when none does. */
  reason: string | null
}

/** Judges posts by rules that need not belong to a keyword. */
export interface Explainer {
  judge(post: Post): MatchJudgement
  /** Slower than judging, so only for posts that are shown. */
  explain(post: Post, judgement: MatchJudgement): Explained
}

/** `people` holds the keys of excluded people, without ids, and who owns their handles. */
export function createExplainer(
  term: string,
  matching: Matching,
  people: PeopleBehind & { keys: readonly string[] },
): Explainer {
  const { caseSensitive, requiredMode } = matching
  const bare: MatchRules = {
    term,
    caseSensitive,
    requiredTerms: [],
    requiredMode,
    excludedTerms: [],
    excludedAuthors: [],
    scopes: EVERY_PLATFORM_BIT,
  }
  const judgeAll = createJudge({
    ...bare,
    requiredTerms: matching.requiredTerms,
    excludedTerms: matching.excludedTerms,
    excludedAuthors: withIdKeys(people.keys, matching.excludedAuthors, people.identities),
  })
  const judgesOf = (entries: readonly string[], rulesOf: (entry: string) => Partial<MatchRules>) =>
    once(() => entries.map((entry) => ({ entry, judge: createJudge({ ...bare, ...rulesOf(entry) }) })))
  const excluding = judgesOf(matching.excludedTerms, (entry) => ({ excludedTerms: [entry] }))
  const requiring = judgesOf(matching.requiredTerms, (entry) => ({ requiredTerms: [entry] }))
  const reasons: Record<Exclude<MatchJudgement, 'accepted'>, (post: Post) => string> = {
    term: () =>
      `The term “${term}” does not stand in the post ${caseSensitive ? 'in this spelling' : 'as it is searched for'}.`,
    excluded_term: (post) =>
      sentence('The post contains the excluded term', firstOf(excluding(), post), 'The post contains excluded terms.'),
    required_terms: (post) =>
      requiredMode === 'any' && matching.requiredTerms.length > 1
        ? 'The post contains no required term.'
        : sentence('The post lacks the required term', firstOf(requiring(), post), 'The post lacks required terms.'),
    excluded_author: (post) =>
      sentence(
        'Its author is excluded as',
        entryFor(post, matching.excludedAuthors, people),
        'Its author is excluded.',
      ),
    scope: () => 'The post is on a platform that is not searched.',
  }
  return {
    judge: (post) => judgeAll(searchedTextOf(post)),
    explain: (post, judgement) =>
      judgement === 'accepted' ? { matched: true, reason: null } : { matched: false, reason: reasons[judgement](post) },
  }
}

interface JudgeOfEntry {
  entry: string
  judge: ReturnType<typeof createJudge>
}

function firstOf(judges: readonly JudgeOfEntry[], post: Post): string | undefined {
  return judges.find(({ judge }) => judge(searchedTextOf(post)) !== 'accepted')?.entry
}

function sentence(start: string, entry: string | undefined, whole: string): string {
  return entry === undefined ? whole : `${start} “${entry}”.`
}

function entryFor({ platform, author }: Post, entries: readonly string[], people: PeopleBehind): string | undefined {
  return entryNaming(author ? authorKeysOf(platform, author) : [], entries, people)
}

/** The entry that names this author by text or handle; undefined if only a post link does. */
export function entryNaming(
  authorKeys: readonly string[],
  entries: readonly string[],
  { identities }: PeopleBehind,
): string | undefined {
  const keys = new Set(authorKeys)
  return entries.find((entry) =>
    withIdKeys([...keysWritten([entry])], [entry], identities).some((key) => keys.has(key)),
  )
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
