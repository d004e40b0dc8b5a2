import { parseReviewLink, type ReviewPage, reviewSourceFromId } from '../../domain/keyword/review-source.ts'
import type { Platform, ReviewPlatform } from '../../domain/platform/platforms.ts'
import { authorKeysOf, parseAuthorEntry } from '../../domain/post/author-entry.ts'
import type { Author } from '../../domain/post/post.ts'
import { nativeIdInLink } from '../../domain/post/post-link.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type CollectContext, type PageSource, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable, type Reader } from '../../store/database.ts'
import { readOwnAuthors } from '../../store/mention/author-identities.ts'
import { TimeUp, withinTime } from '../time-limit.ts'
import type { Services } from '../writing.ts'
import type { KnownAuthors, KnownPages, ReviewSourceInput } from './rules.ts'

/** Whoever saves a keyword waits this long at most for platforms to say where links lead. */
const RESOLVING_MS = 10 * SECOND_MS
/** One request must not take up what a platform grants to everybody. */
const LINKS_AT_ONCE = 2

/**
 * The authors behind links of posts that do not name them, as far as the workspace has the post as a mention: what
 * other workspaces found is not told.
 */
export async function authorsOfPosts(
  reader: Reader,
  workspaceId: Uuid,
  entries: readonly string[],
): Promise<KnownAuthors> {
  const linked = entries.flatMap((entry) => {
    const parsed = parseAuthorEntry(entry)
    const nativeId = 'needsResolving' in parsed ? nativeIdInLink(parsed.platform, entry) : null
    return 'needsResolving' in parsed && nativeId !== null ? [{ entry, platform: parsed.platform, nativeId }] : []
  })
  if (linked.length === 0) return new Map()
  const authors = await readOwnAuthors(reader, workspaceId, linked)
  return new Map(
    linked.flatMap(({ entry, platform }, place) => {
      const author = authors[place]
      const keys = author ? profileKeysOf(platform, author) : []
      return keys.length === 0 ? [] : [[entry, keys] as const]
    }),
  )
}

/** The profile of a person, by handle and by id: names are not taken, because others may have the same. */
function profileKeysOf(platform: Platform, author: Author): string[] {
  const { handle } = author
  const nameless = { ...author, name: null, handle: handle?.includes('/') ? null : handle }
  return authorKeysOf(platform, nameless).filter((key) => key.startsWith('https://'))
}

/** A link that does not say itself where it leads. */
interface HiddenPage {
  field: string
  link: string
  platform: ReviewPlatform
}

/** The first of these links that does not say itself where it leads; null when all do. */
export function linkToFollow(inputs: readonly ReviewSourceInput[]): { field: string } | null {
  return hiddenPages(inputs)[0] ?? null
}

/** Why one of these links cannot be followed on this installation; null when all can. Nobody is asked. */
export function objectionToLinks(
  { sources }: Pick<Services, 'sources'>,
  inputs: readonly ReviewSourceInput[],
): Refusal<'validation_error'> | null {
  const lost = hiddenPages(inputs).find(({ platform }) => !resolverOf(sources, platform))
  if (lost === undefined) return null
  // Links are followed with what is set up for the platform, its limits among it, also those that need no credentials:
  // where the platform is not wanted it is not asked anything.
  const reason =
    `is a link that is followed only where ${lost.platform} is set up, which it is not on this installation; ` +
    'open it and give the address of the page'
  return refuseField(lost.field, reason)
}

/**
 * The review pages behind those links that do not say themselves where they lead; each is followed once, for ten
 * seconds in all.
 */
export async function pagesBehind(
  services: Services,
  inputs: readonly ReviewSourceInput[],
): Promise<KnownPages | Refusal<'validation_error'>> {
  const hidden = hiddenPages(inputs)
  const objection = objectionToLinks(services, inputs)
  if (objection || hidden.length === 0) return objection ?? new Map()
  const pages = new Map<string, ReviewPage>()
  const refusals = new Map<string, Refusal<'validation_error'>>()
  const waiting = [...hidden]
  const work = async (signal: AbortSignal) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const answer = await pageBehind(services, next, signal)
      if (signal.aborted) return
      if (!isRefusal(answer)) {
        pages.set(next.link, answer)
        continue
      }
      refusals.set(next.link, answer)
      // The request is refused, so nothing more is asked for it.
      waiting.length = 0
    }
  }
  try {
    await withinTime({ clock: services.clock, limitMs: RESOLVING_MS }, (signal) =>
      Promise.all(Array.from({ length: LINKS_AT_ONCE }, () => work(signal))),
    )
  } catch (error) {
    if (!(error instanceof TimeUp)) throw error
  }
  const refused = hidden.find(({ link }) => refusals.has(link))
  if (refused) return refusals.get(refused.link)!
  const late = hidden.find(({ link }) => !pages.has(link))
  return late ? tooSlow(late) : pages
}

/** The links that must be followed, each at its first place. */
function hiddenPages(inputs: readonly ReviewSourceInput[]): HiddenPage[] {
  const hidden = new Map<string, HiddenPage>()
  for (const [place, { url = '' }] of inputs.entries()) {
    const link = parseReviewLink(url)
    if (link && 'needsResolving' in link && !hidden.has(url))
      hidden.set(url, { field: `reviewSources.${place}.url`, link: url, platform: link.platform })
  }
  return [...hidden.values()]
}

type Resolver = PageSource & Required<Pick<PageSource, 'resolveLink'>>

function resolverOf(sources: Services['sources'], platform: ReviewPlatform): Resolver | null {
  const source = sources.setups.find((setup) => setup.platform === platform)?.source
  return source?.mode === 'page' && source.resolveLink ? (source as Resolver) : null
}

function tooSlow({ field, platform }: HiddenPage): Refusal<'validation_error'> {
  return refuseField(
    field,
    `${platform} took too long to say where it leads; try again, or give the address of the page`,
  )
}

async function pageBehind({ sources, clock }: Services, { field, link, platform }: HiddenPage, signal: AbortSignal) {
  const source = resolverOf(sources, platform)
  const answer = source ? await followed(source, sources.contextFor(source, clock.now(), signal), link) : null
  if (answer === 'failed')
    return refuseField(field, `${platform} could not say where it leads; try again, or give the address of the page`)
  const page = answer && reviewSourceFromId(platform, answer.id)
  return answer && page ? { ...answer, ...page } : refuseField(field, `leads to no review page of ${platform}`)
}

async function followed(
  source: Resolver,
  context: CollectContext,
  link: string,
): Promise<ReviewPage | null | 'failed'> {
  try {
    return await source.resolveLink(context, link)
  } catch (error) {
    if (context.signal.aborted || error instanceof DatabaseUnavailable) throw error
    if (error instanceof SourceFault && error.kind === 'gone') return null
    context.log.warn({ err: error, platform: source.platform }, 'a link could not be followed')
    return 'failed'
  }
}
