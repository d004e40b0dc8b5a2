import type { Matching } from '../../domain/keyword/keyword.ts'
import { PLATFORMS, platformNumber } from '../../domain/platform/platforms.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import type { Post } from '../../domain/post/post.ts'
import { searchedTextOf } from '../../domain/post/searched-text.ts'
import { createJudge, type Judgement, type MatchRules } from '../../matching/index.ts'
import { keysWritten, type PeopleBehind, withIdKeys } from '../authors/handle-keys.ts'

export interface Explained {
  matched: boolean
  /** A sentence that names the rule; null when every rule admits the post. */
  reason: string | null
}

/** Judges posts by the rules of a keyword that need not exist, and says which rule drops a post. */
export interface Explainer {
  judge(post: Post): Judgement
  /** The judgement in words. Costs more than judging, so it is for posts that are shown. */
  explain(post: Post, judgement: Judgement): Explained
}

const EVERYWHERE = PLATFORMS.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)

/**
 * `people` are the keys of those whom the rules exclude, before ids are added, and who is known to be behind handles.
 */
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
    scopes: EVERYWHERE,
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
  const reasons: Record<Exclude<Judgement, 'accepted'>, (post: Post) => string> = {
    term: () =>
      `The term “${term}” does not stand in the post ${caseSensitive ? 'in this spelling' : 'as it is searched for'}.`,
    excluded_term: (post) =>
      sentence('The post holds the excluded term', firstOf(excluding(), post), 'The post holds excluded terms.'),
    required_terms: (post) =>
      requiredMode === 'any' && matching.requiredTerms.length > 1
        ? 'The post holds none of the required terms.'
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

/** What judges a post by one entry of a list alone. */
interface JudgeOfEntry {
  entry: string
  judge: ReturnType<typeof createJudge>
}

/** The first entry by which a post is not accepted. */
function firstOf(judges: readonly JudgeOfEntry[], post: Post): string | undefined {
  return judges.find(({ judge }) => judge(searchedTextOf(post)) !== 'accepted')?.entry
}

function sentence(start: string, entry: string | undefined, whole: string): string {
  return entry === undefined ? whole : `${start} “${entry}”.`
}

function entryFor({ platform, author }: Post, entries: readonly string[], people: PeopleBehind): string | undefined {
  return entryNaming(author ? authorKeysOf(platform, author) : [], entries, people)
}

/**
 * The entry that names one of these keys of an author in so many words or by handle; none when it does so by the link
 * of a post.
 */
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
