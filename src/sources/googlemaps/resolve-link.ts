import { parseReviewLink, type ReviewPage } from '../../domain/keyword/review-source.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { type CollectContext, type Limit, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus } from '../reply-fault.ts'
import { CONSENT_HOSTS, isOnGoogle } from './google-hosts.ts'

/**
 * Nothing is documented for following links. People add links one at a time, so a few at once and one in two seconds
 * suffice.
 */
export const LINKS_LIMIT: Limit = { quota: 'links', kind: 'paced', most: 30, perSeconds: 60, burst: 10 }
/** More steps than any real short link takes. */
const MAX_STEPS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** What a short link answers when it leads nowhere. */
const DEAD_ENDS = new Set([400, 404, 410])
const CONSENT = new Set(CONSENT_HOSTS)

/** Finds the place behind Google's number of it; null when there is none, or nobody to ask. */
export type PlaceOfCid = (cid: string) => Promise<ReviewPage | null>

/**
 * The place that a link leads to, null when it leads to none. Redirections are read one by one and each is looked at
 * before it is asked: nothing but Google's sites for links and maps is ever connected to, encrypted, without cookies.
 */
export async function resolveMapsLink(
  context: CollectContext,
  link: string,
  placeOfCid: PlaceOfCid,
): Promise<ReviewPage | null> {
  const found = parseReviewLink(link)
  if (found?.platform !== 'googlemaps') return null
  let address: string | null = withScheme(link)
  for (let steps = 0; address !== null; steps += 1) {
    const next = lookAt(address)
    if (next.kind === 'page') return next.page
    if (next.kind === 'cid') return await placeOfCid(next.cid)
    if (next.kind === 'nowhere' || steps === MAX_STEPS) return null
    address = next.kind === 'target' ? next.address : await redirectionFrom(context, next.url)
  }
  return null
}

type Step =
  | { kind: 'page'; page: ReviewPage }
  | { kind: 'cid'; cid: string }
  /** The address stands for another one, which is in it. */
  | { kind: 'target'; address: string }
  | { kind: 'ask'; url: URL }
  | { kind: 'nowhere' }

/** What an address says by itself, before anybody is asked. */
function lookAt(address: string): Step {
  const found = parseReviewLink(address)
  if (found && 'id' in found)
    return found.platform === 'googlemaps' ? { kind: 'page', page: found } : { kind: 'nowhere' }
  if (!canParse(address)) return { kind: 'nowhere' }
  const url = new URL(address)
  if (CONSENT.has(url.hostname)) return { kind: 'target', address: url.searchParams.get('continue') ?? '' }
  if (!isOnGoogle(url)) return { kind: 'nowhere' }
  const cid = url.searchParams.get('cid') ?? url.searchParams.get('ludocid')
  if (found && cid !== null) return { kind: 'cid', cid }
  if (url.pathname.startsWith('/sorry/')) return heldBack(url)
  url.protocol = 'https:'
  return { kind: 'ask', url }
}

/**
 * The page that Google shows to whom it takes for a robot carries the wanted address, which may be all that is needed.
 */
function heldBack(url: URL): Step {
  const found = parseReviewLink(url.searchParams.get('continue') ?? '')
  if (found?.platform === 'googlemaps' && 'id' in found) return { kind: 'page', page: found }
  throw new SourceFault('throttled', 'Google asks whether a person follows its link')
}

/** Where a redirection leads; null when it is none. */
async function redirectionFrom(context: CollectContext, url: URL): Promise<string | null> {
  const reply = await context.fetch(url.href, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
    cost: { links: 1 },
  })
  const location = reply.headers['location']
  if (REDIRECTS.has(reply.status) && location !== undefined)
    return canParse(location, url.href) ? new URL(location, url.href).href : null
  const fault = DEAD_ENDS.has(reply.status) ? null : faultOf(reply, context.at)
  if (fault) throw fault
  return null
}

/** Nobody has shown credentials here, so a refusal is not about them. */
function faultOf(reply: SourceReply, at: Date): SourceFault | null {
  const fault = faultOfStatus(reply.status, reply.headers, at)
  return fault === null || fault.kind === 'throttled'
    ? fault
    : new SourceFault('unavailable', `a link answered with status ${reply.status}`)
}

/** People paste links without a scheme. */
function withScheme(link: string): string {
  const text = link.trim()
  return /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
}
