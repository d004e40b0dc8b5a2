import { type Keyword, keywordStatusOf } from '../../domain/keyword/keyword.ts'
import { LOOK_BACK, lookBackDaysOn } from '../../domain/keyword/queries.ts'
import { REJECTIONS, type RejectionReason } from '../../domain/keyword/rejection.ts'
import { parseRepository } from '../../domain/platform/github.ts'
import { isLive, type Platform } from '../../domain/platform/platforms.ts'
import { parseSubreddit } from '../../domain/platform/reddit.ts'
import { parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Author } from '../../domain/post/post.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { excerpt, webAddress } from '../../kernel/text.ts'
import { findExplainedKeyword, findOwnPost, findRejection } from '../../queries/keywords/explained-keyword.ts'
import { readFilters } from '../../store/filter/workspace-filters.ts'
import { readIdentities } from '../../store/mention/author-identities.ts'
import { handlesIn } from '../authors/handle-keys.ts'
import type { Services, WritingContext } from '../writing.ts'
import { explainRules } from './explain-steps.ts'
import type { ExplainedPost, Explanation } from './explanation.ts'
import { type TermMatch, termMatches } from './term-matches.ts'

export type Explaining = { url: string } | GivenPost

export interface GivenPost {
  text: string
  title?: string | null | undefined
  url?: string | undefined
  platform?: Platform | undefined
  links?: readonly string[] | undefined
  author?: Partial<Pick<Author, 'id' | 'name' | 'handle' | 'url'>> | null | undefined
  publishedAt?: Date | undefined
}

export interface KeywordExplanation {
  /** False when only an address was given and the workspace has no such post. */
  known: boolean
  /** Whether the keyword, as it is now, would match; null for an unknown post or a missing platform. */
  matched: boolean | null
  /** One sentence: the first failed step, or the outcome. */
  reason: string
  steps: Explanation[]
  /** Where the term stands in the post, at most `TERM_MATCHES`. */
  matches: TermMatch[]
  post: { platform: Platform | null; url: string | null; excerpt: string; publishedAt: string | null } | null
  mention: { id: Id<'mtn'> } | null
  /** Recorded when the post was dropped, within the last day. */
  rejected: { reason: RejectionReason; at: string } | null
}

/** Explains a post by the current keyword. Fetches and changes nothing. */
export async function explainKeyword(
  writing: WritingContext,
  id: Uuid,
  asked: Explaining,
): Promise<KeywordExplanation | Refusal<'not_found'>> {
  const found = await findExplainedKeyword(writing, id)
  if (found === null) return refuse('not_found', 'This workspace has no keyword with this id.')
  if ('text' in asked) return await explainPost(writing, found, fromCaller(asked), null)
  const own = await findOwnPost(writing, id, asked.url)
  return own ? await explainPost(writing, found, own.post, own.mentionId) : await explainUnknown(writing, id, asked.url)
}

interface Found {
  keyword: Keyword
  capped: boolean
}

async function explainPost(
  writing: WritingContext,
  { keyword, capped }: Found,
  post: ExplainedPost,
  mentionId: Uuid | null,
): Promise<KeywordExplanation> {
  const { db, workspaceId } = writing
  const [filters = null] = await readFilters(db, [workspaceId])
  const identities = await readIdentities(
    db,
    handlesIn([...keyword.matching.excludedAuthors, ...(filters?.excludedAuthors ?? [])]),
  )
  const steps = [
    ...explainRules(keyword, filters, post, { identities }),
    mutedStep(keyword),
    capStep(keyword, capped),
    sourceStep(writing.sources, post),
    timeStep(writing.sources, keyword, post),
  ]
  const first = steps.find(({ passed }) => passed === false)
  const untold = steps.find(
    ({ step, passed }) =>
      passed === null && (step === 'workspace_filters' || (step === 'platform' && keyword.platforms !== null)),
  )
  const matched = untold ? null : true
  return {
    known: true,
    matched: first ? false : matched,
    reason: reasonOf(first ?? untold, mentionId),
    steps,
    matches: termMatches(keyword, post),
    post: {
      platform: post.platform,
      url: post.url,
      excerpt: excerpt([post.title, post.text].filter(Boolean).join('\n'), REJECTIONS.excerpt),
      publishedAt: post.publishedAt?.toISOString() ?? null,
    },
    mention: mentionId && { id: toId('mtn', mentionId) },
    rejected: null,
  }
}

function reasonOf(first: Explanation | undefined, mentionId: Uuid | null): string {
  if (mentionId === null) return first?.detail ?? 'No known rule rejects this post.'
  if (first === undefined) return 'It is a mention of this keyword.'
  return `It is a mention of this keyword, but a post like it would not become one now. ${first.detail}`
}

const REASONS: { readonly [Reason in RejectionReason]: string } = {
  excluded_author: 'the keyword excluded its author',
  excluded_term: 'it held a term that the keyword excludes',
  required_terms: 'it lacked terms that the keyword requires',
  workspace_filter: 'a filter of the workspace dropped it',
  cap: 'the keyword had reached its monthly limit',
}

/** Of posts that are no mentions, only a sample of dropped ones is stored, for a day. */
async function explainUnknown(writing: WritingContext, id: Uuid, url: string): Promise<KeywordExplanation> {
  const rejection = await findRejection(writing, id, url)
  const nothing = { known: false, matched: null, steps: [], matches: [], post: null, mention: null, rejected: null }
  if (rejection === null)
    return {
      ...nothing,
      reason: 'The workspace has no post with this URL; only matched posts are stored. Send its text instead.',
    }
  const rejected = { reason: rejection.reason, at: rejection.at.toISOString() }
  return {
    ...nothing,
    rejected,
    reason:
      `The post was dropped: ${REASONS[rejection.reason]}. Send its text to have it explained by the rules as they ` +
      'are now.',
  }
}

const UNNAMED = { id: null, name: null, handle: null, url: null }

function fromCaller({ text, title = null, url, platform, links = [], author, publishedAt }: GivenPost): ExplainedPost {
  return {
    platform: platform ?? (url === undefined ? null : platformOf(url)),
    url: url ?? null,
    title,
    text,
    links,
    author: author ? { ...UNNAMED, ...author, avatarUrl: null, followers: null, automated: null } : null,
    publishedAt: publishedAt ?? null,
  }
}

/** Null when posts of any platform may have the address. */
function platformOf(url: string): Platform | null {
  if (webAddress(url) === null) return null
  if (parseSubreddit(url) !== null) return 'reddit'
  if (parseRepository(url) !== null) return 'github'
  const parsed = parseAuthorEntry(url)
  return 'platform' in parsed && parsed.platform !== 'news' ? parsed.platform : null
}

function mutedStep(keyword: Keyword): Explanation {
  const status = keywordStatusOf(keyword)
  if (!keyword.muted) return { step: 'muted', passed: true, detail: 'The keyword is not muted.' }
  const muted = keyword.pausedForNoise ? 'it is paused because almost all of its matches were noise' : 'it is muted'
  const why = keyword.pausedForBalance ? 'it is paused because the balance ran out' : muted
  return { step: 'muted', passed: false, detail: `The keyword is not looked for at present: ${why} (${status}).` }
}

function capStep({ capOwn }: Keyword, capped: boolean): Explanation {
  if (capped) return { step: 'cap', passed: false, detail: 'The keyword has reached its monthly limit.' }
  return {
    step: 'cap',
    passed: true,
    detail:
      capOwn === null
        ? 'The keyword has not reached its monthly limit.'
        : `The keyword is below its monthly limit of ${capOwn}.`,
  }
}

function sourceStep({ setups }: Services['sources'], { platform }: ExplainedPost): Explanation {
  if (platform === null) return { step: 'source', passed: null, detail: 'The platform of the post was not given.' }
  const collected = setups.some((setup) => setup.platform === platform && setup.source !== null)
  return {
    step: 'source',
    passed: collected,
    detail: collected ? `This installation reads ${platform}.` : `This installation does not read ${platform}.`,
  }
}

function lookBackDaysOf({ setups }: Services['sources'], platform: Platform): number {
  const source = setups.find((setup) => setup.platform === platform)?.source
  if (source?.mode === 'search') return source.lookBackDays
  return lookBackDaysOn(platform)
}

function timeStep(
  sources: Services['sources'],
  { createdAt }: Keyword,
  { platform, publishedAt }: ExplainedPost,
): Explanation {
  const step = 'time'
  if (publishedAt === null) return { step, passed: null, detail: 'The time of publication was not given.' }
  if (publishedAt.getTime() >= Math.floor(createdAt.getTime() / 1000) * 1000)
    return { step, passed: true, detail: 'The post was published after the keyword was created.' }
  if (platform !== null && isLive(platform))
    return {
      step,
      passed: false,
      detail:
        'It was published before the keyword was made, ' +
        `and on ${platform} a keyword finds only what comes after it.`,
    }
  const days = platform === null ? LOOK_BACK.pageDays : lookBackDaysOf(sources, platform)
  if (publishedAt < plus(createdAt, -days * DAY_MS))
    return { step, passed: false, detail: `It is older than the ${days} days that a new keyword looks back.` }
  const most = `at most ${LOOK_BACK.perPlatform} posts of a platform and ${LOOK_BACK.inAll} in all`
  return {
    step,
    passed: null,
    detail:
      `It was published before the keyword was made. A new keyword looks back ${days} days and takes the newest: ` +
      `${most}.`,
  }
}
