import { DEFAULT_MATCHING, type Matching } from '../../domain/keyword/keyword.ts'
import type { SearchPlatform } from '../../domain/platform/platforms.ts'
import type { Post } from '../../domain/post/post.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { MissingSetting } from '../../domain/source/missing-setting.ts'
import { underAny } from '../../kernel/concurrency/under-any.ts'
import { type Mention, type ShownAuthor, showAuthor, showPost } from '../../queries/mentions/mention-shape.ts'
import type { SourceSetup } from '../../sources/contract.ts'
import { type PeopleBehind, peopleBehind } from '../authors/handle-keys.ts'
import { authorsOfPosts } from '../keywords/authors-of-posts.ts'
import { createExplainer, type Explained } from '../keywords/explainer.ts'
import { authorKeysFrom, type MatchingInput, matchingFrom } from '../keywords/rules.ts'
import { termFrom } from '../keywords/term.ts'
import type { WritingContext } from '../writing.ts'
import { askPlatform, isSearchable, type PlatformAnswer, type SearchStatus } from './ask-platform.ts'

export interface LiveSearch {
  /** The term of the would-be keyword. */
  query: string
  /** All searchable platforms by default. */
  platforms?: readonly SearchPlatform[] | undefined
  matching?: MatchingInput | undefined
  limit: number
}

export interface LiveSearchAnswer {
  data: FoundPost[]
  sources: SearchedPlatform[]
}

export interface FoundPost {
  post: Mention['post']
  author: ShownAuthor | null
  /** Whether a keyword with these rules would match. */
  matched: boolean
  /** The rule that drops the post; null when it matched. */
  reason: string | null
}

export interface SearchedPlatform {
  platform: SearchPlatform
  status: SearchStatus
  /** Posts found there. */
  count: number
  tookMs: number
}

type Refusals = 'validation_error' | 'source_unavailable' | 'source_timeout'

/**
 * Searches platforms and judges posts as a keyword would. Stores and charges nothing. Ends when `signal` is aborted.
 */
export async function searchPlatforms(
  writing: WritingContext,
  search: LiveSearch,
  signal: AbortSignal,
): Promise<LiveSearchAnswer | Refusal<Refusals>> {
  const rules = await rulesOf(writing, search)
  if (isRefusal(rules)) return rules
  const setups = setupsFor(writing.sources.setups, search.platforms)
  const [answers, people] = await together(signal, (ending) => [
    Promise.all(setups.map((setup) => askPlatform(writing, setup, { term: rules.term, limit: search.limit }, ending))),
    peopleBehind(writing, rules.matching.excludedAuthors, { preview: true, signal: ending }),
  ])
  const [only] = answers
  if (search.platforms?.length === 1 && only && only.status !== 'ok') return refusalOf(only)
  return {
    data: shown(answers, { ...rules, ...people }, search.limit),
    sources: answers.map(({ setup, status, posts, tookMs }) => ({
      platform: setup.platform as SearchPlatform,
      status,
      count: posts.length,
      tookMs,
    })),
  }
}

/** Runs two tasks; a failure or an abort cancels the other without waiting for it. */
function together<One, Other>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => [Promise<One>, Promise<Other>],
): Promise<[One, Other]> {
  return underAny([signal], (ending) => Promise.all(work(ending)))
}

interface Rules {
  term: string
  matching: Matching
  authorKeys: string[]
}

async function rulesOf(
  { db, workspaceId }: WritingContext,
  { query, matching: input = {} }: LiveSearch,
): Promise<Rules | Refusal<'validation_error'>> {
  const term = termFrom(query)
  if (isRefusal(term)) return refuseField('query', term.message.replace(/^term: /, ''))
  const matching = matchingFrom(input, DEFAULT_MATCHING)
  if (isRefusal(matching)) return matching
  const authorKeys = authorKeysFrom(matching, await authorsOfPosts(db, workspaceId, matching.excludedAuthors))
  return isRefusal(authorKeys) ? authorKeys : { term: term.term, matching, authorKeys }
}

/** The named platforms, in platform order, or all searchable ones. */
function setupsFor(setups: readonly SourceSetup[], named: readonly SearchPlatform[] | undefined): SourceSetup[] {
  if (named === undefined) return setups.filter(isSearchable)
  const wanted = new Set<string>(named)
  const known = setups.filter(({ platform }) => wanted.has(platform))
  const unknown = [...wanted].filter((platform) => !known.some((setup) => setup.platform === platform))
  return [
    ...known,
    ...unknown.map(
      (platform): SourceSetup => ({
        platform: platform as SearchPlatform,
        mode: 'search',
        source: null,
        missing: [],
        off: true,
      }),
    ),
  ]
}

/** Prefers matched posts; sorts newest first. */
function shown(
  answers: readonly PlatformAnswer[],
  { term, matching, authorKeys, identities }: Rules & PeopleBehind,
  limit: number,
): FoundPost[] {
  const explainer = createExplainer(term, matching, { keys: authorKeys, identities })
  const judged = answers.flatMap(({ posts }) => posts).map((post) => ({ post, judgement: explainer.judge(post) }))
  judged.sort(
    (a, b) => Number(b.judgement === 'accepted') - Number(a.judgement === 'accepted') || newestFirst(a.post, b.post),
  )
  return judged
    .slice(0, limit)
    .sort((a, b) => newestFirst(a.post, b.post))
    .map(({ post, judgement }) => found(post, explainer.explain(post, judgement)))
}

function newestFirst(a: Post, b: Post): number {
  return (
    b.publishedAt.getTime() - a.publishedAt.getTime() ||
    (`${a.platform} ${a.nativeId}` < `${b.platform} ${b.nativeId}` ? -1 : 1)
  )
}

function found(post: Post, { matched, reason }: Explained): FoundPost {
  return { post: showPost(post), author: post.author && showAuthor(post.author), matched, reason }
}

function refusalOf({
  setup,
  status,
  trouble,
  retryAfterSeconds,
}: PlatformAnswer): Refusal<'source_unavailable' | 'source_timeout'> {
  const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds }
  if (status === 'timeout') return refuse('source_timeout', `${setup.platform} took too long to answer.`)
  const ours = trouble === 'not_configured' || trouble === 'slow' || trouble === 'credentials' || trouble === 'spent'
  return refuse('source_unavailable', `${setup.platform} ${TROUBLES[trouble ?? 'unavailable'](setup)}.`, {
    status: ours ? 503 : 502,
    ...retry,
  })
}

function whatIsMissing(settings: readonly MissingSetting[]): string {
  const names = settings.map(({ name }) => name)
  return names.length === 0 ? '' : `: ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} missing`
}

const TROUBLES: { readonly [What in NonNullable<PlatformAnswer['trouble']>]: (setup: SourceSetup) => string } = {
  not_configured: ({ off, missing }) =>
    off ? 'is disabled on this installation' : `cannot be searched on this installation${whatIsMissing(missing)}`,
  slow: () => 'is too slow for live searches and is searched for keywords only',
  credentials: () => 'does not accept the credentials of this installation',
  spent: () => 'has used its quota for today',
  throttled: () => 'asks to wait',
  unavailable: () => 'did not answer',
  shape_changed: () => 'returned an unexpected response',
  gone: () => 'returned "not found"',
  stream: () => 'did not answer',
}
