import type { Keyword } from '../../domain/keyword/keyword.ts'
import { isReviewPlatform, type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { authorKeysOf } from '../../domain/post/author-entry.ts'
import { objectionToPlace, type PlaceObjection } from '../../domain/workspace/filters.ts'
import { webAddress } from '../../kernel/text.ts'
import { createListsTest, type MatchRules, type MatchText } from '../../matching/index.ts'
import { shownAuthor } from '../../queries/filters.ts'
import type { StoredFilters } from '../../store/filter/workspace-filters.ts'
import type { PeopleBehind } from '../authors/handle-keys.ts'
import { entryNaming } from './explainer.ts'
import { BARE, type ExplainedPost, type Explanation, fails, passes } from './explanation.ts'
import { termSteps } from './term-steps.ts'

/** All steps pass exactly when the matching engine accepts the post. */
export function explainRules(
  keyword: Keyword,
  filters: StoredFilters | null,
  post: ExplainedPost,
  people: PeopleBehind,
): Explanation[] {
  const text = matchTextOf(post)
  const { excludedAuthors, excludedTerms, requiredTerms, requiredMode } = keyword.matching
  return [
    ...(isReview(post) ? reviewNeedsNoTerm() : termSteps(keyword, text)),
    platformStep(keyword, post),
    authorStep(text, { keys: keyword.excludedAuthorKeys, entries: excludedAuthors, people }),
    excludedStep(text, excludedTerms),
    isReview(post)
      ? passes('required_terms', 'A review need not contain required terms.')
      : requiredStep(text, requiredTerms, requiredMode),
    filterStep(post, text, filters, people),
  ]
}

function isReview({ platform }: ExplainedPost): boolean {
  return platform !== null && isReviewPlatform(platform)
}

function matchTextOf({ platform, title, text, links, author }: ExplainedPost): MatchText {
  return {
    scope: platformNumber(platform ?? 'news'),
    title,
    text,
    links,
    authorKeys: author ? authorKeysOf(platform ?? 'news', author) : [],
    authorName: author?.name ?? null,
  }
}

function admits(text: MatchText, lists: Partial<MatchRules>): boolean {
  return createListsTest({ ...BARE, ...lists })(text) === 'accepted'
}

function reviewNeedsNoTerm(): Explanation[] {
  return [
    passes('term', 'A review of a connected page need not contain the term.'),
    passes('boundaries', 'Not checked for reviews.'),
    passes('case', 'Not checked for reviews.'),
  ]
}

function platformStep({ platforms, reviewSources }: Keyword, post: ExplainedPost): Explanation {
  const { platform } = post
  if (platform === null) return { step: 'platform', passed: null, detail: 'The platform of the post was not given.' }
  if (isReview(post)) {
    return reviewSources.some((source) => source.platform === platform)
      ? passes('platform', `A review page on ${platform} is connected to the keyword.`)
      : fails('platform', `No review page on ${platform} is connected to the keyword.`)
  }
  const searched = platforms === null || platforms.some((item) => item === platform)
  return searched
    ? passes('platform', `The keyword is looked for on ${platform}.`)
    : fails('platform', `The keyword is not looked for on ${platform}.`)
}

function authorStep(
  text: MatchText,
  { keys, entries, people }: { keys: readonly string[]; entries: readonly string[]; people: PeopleBehind },
): Explanation {
  if (keys.length === 0) return passes('excluded_authors', 'The keyword excludes no authors.')
  if (admits(text, { excludedAuthors: keys })) return passes('excluded_authors', 'No excluded author wrote the post.')
  const entry = entryNaming(text.authorKeys, entries, people)
  return fails('excluded_authors', `Its author is excluded${entry === undefined ? '' : ` as “${entry}”`}.`)
}

function excludedStep(text: MatchText, excludedTerms: readonly string[]): Explanation {
  if (excludedTerms.length === 0) return passes('excluded_terms', 'The keyword excludes no terms.')
  if (admits(text, { excludedTerms })) return passes('excluded_terms', 'The post contains no excluded term.')
  return fails('excluded_terms', holdsExcluded(text, excludedTerms))
}

function holdsExcluded(text: MatchText, excludedTerms: readonly string[]): string {
  const entry = firstIn(excludedTerms, (some) => !admits(text, { excludedTerms: some }))
  const inName = entry !== undefined && admits({ ...text, authorName: null }, { excludedTerms: [entry] })
  return `${inName ? 'The name of its author' : 'The post'} contains the excluded term “${entry}”.`
}

/**
 * The first entry for which `holds`, by bisection: a list holds when any entry does. Checking thousands of entries one
 * by one would block the process.
 */
function firstIn(entries: readonly string[], holds: (some: readonly string[]) => boolean): string | undefined {
  let from = 0
  for (let to = entries.length; to - from > 1; ) {
    const middle = (from + to) >>> 1
    if (holds(entries.slice(from, middle))) to = middle
    else from = middle
  }
  return entries[from]
}

function requiredStep(
  text: MatchText,
  requiredTerms: readonly string[],
  requiredMode: MatchRules['requiredMode'],
): Explanation {
  if (requiredTerms.length === 0) return passes('required_terms', 'The keyword requires no other terms.')
  if (admits(text, { requiredTerms, requiredMode }))
    return passes(
      'required_terms',
      `The post contains ${requiredMode === 'all' ? 'all' : 'one'} of the required terms.`,
    )
  const missing =
    requiredMode === 'all'
      ? firstIn(requiredTerms, (some) => !admits(text, { requiredTerms: some, requiredMode }))
      : undefined
  return fails(
    'required_terms',
    missing === undefined ? 'The post contains no required term.' : `The post lacks the required term “${missing}”.`,
  )
}

function filterStep(
  post: ExplainedPost,
  text: MatchText,
  filters: StoredFilters | null,
  people: PeopleBehind,
): Explanation {
  if (filters === null) return passes('workspace_filters', 'The workspace has no filters.')
  const { excludedTerms, excludedAuthors, excludedAuthorKeys } = filters
  if (!admits(text, { excludedAuthors: excludedAuthorKeys })) {
    const entry = entryNaming(text.authorKeys, excludedAuthors, people)
    return fails(
      'workspace_filters',
      `Its author is excluded in the whole workspace${entry === undefined ? '' : ` as “${shownAuthor(entry)}”`}.`,
    )
  }
  if (!admits(text, { excludedTerms }))
    return fails(
      'workspace_filters',
      `${holdsExcluded(text, excludedTerms).slice(0, -1)}, which counts in the whole workspace.`,
    )
  return placeStep(post, filters)
}

function placeStep(
  { platform, url }: ExplainedPost,
  { excludedRepos, subredditsOnly, subredditsExcluded }: StoredFilters,
): Explanation {
  const step = 'workspace_filters'
  const none = passes(step, 'No workspace filter rejects the post.')
  const bySubreddit = subredditsOnly.length + subredditsExcluded.length > 0
  // Any other platform's post would have an address that shows the platform.
  const mayStand = (on: Platform) =>
    platform === on || (platform === null && (url === null || webAddress(url) === null))
  if (url === null || platform === null) {
    if (excludedRepos.length > 0 && mayStand('github'))
      return {
        step,
        passed: null,
        detail: 'The workspace excludes repositories, and the repository of the post was not given.',
      }
    if (bySubreddit && mayStand('reddit'))
      return {
        step,
        passed: null,
        detail: 'The workspace filters subreddits, and the subreddit of the post was not given.',
      }
    return none
  }
  const filters = {
    excludedRepos: new Set(excludedRepos),
    only: new Set(subredditsOnly),
    excluded: new Set(subredditsExcluded),
  }
  const objection = objectionToPlace(filters, { platform, url })
  return objection === null ? none : fails(step, placeDetail(objection))
}

function placeDetail({ list, place }: NonNullable<PlaceObjection>): string {
  if (list === 'excludedRepos') return `It stands in the repository ${place}, which is excluded in the whole workspace.`
  if (list === 'subreddits.excluded') return `It stands in r/${place}, which is excluded in the whole workspace.`
  const where = place === null ? 'no subreddit that can be told' : `r/${place}`
  return `It stands in ${where}, and the workspace takes only certain subreddits.`
}
