import { type ReviewPage, reviewSourceFromId } from '../../domain/keyword/review-source.ts'
import type { ReviewPlatform } from '../../domain/platform/platforms.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { type CollectContext, type PageSource, SourceFault } from '../../sources/contract.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { type HiddenPage, hiddenPages, type KnownPages, type NamedPage } from './review-pages.ts'

/** The longest wait for link targets while a keyword is saved. */
const RESOLVING_MS = 10 * SECOND_MS
/** One request must not use up a platform's rate limit. */
const LINKS_AT_ONCE = 2

/** Why a link cannot be followed on this installation, or null. Calls no platform. */
export function objectionToLinks(
  { sources }: Pick<Services, 'sources'>,
  named: readonly NamedPage[],
): Refusal<'validation_error'> | null {
  const lost = hiddenPages(named).find(({ platform }) => !resolverOf(sources, platform))
  if (lost === undefined) return null
  // Links are followed within the platform's configured limits. A platform that is not set up is never called.
  const reason =
    `is a link that is followed only where ${lost.platform} is set up, which it is not on this installation; ` +
    'open it and send the address of the page'
  return refuseField(lost.field, reason)
}

/** Resolves links whose target only the platform knows, each once, within RESOLVING_MS in all. */
export async function pagesBehind(
  services: Services,
  named: readonly NamedPage[],
): Promise<KnownPages | Refusal<'validation_error'>> {
  const hidden = hiddenPages(named)
  if (hidden.length === 0) return new Map()
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
      // The request is refused, so the remaining links are skipped.
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
    context.log.warn(
      { event: 'keyword.link_failed', err: error, platform: source.platform },
      'A review link could not be followed',
    )
    return 'failed'
  }
}
