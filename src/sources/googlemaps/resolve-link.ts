import { parseReviewLink, type ReviewPage } from '../../domain/keyword/review-source.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { type CollectContext, type Limit, SourceFault, type SourceReply } from '../contract.ts'
import { faultOfStatus } from '../reply-fault.ts'
import { CONSENT_HOSTS, isOnGoogle } from './google-hosts.ts'

/** Undocumented. People add single links. */
export const LINKS_LIMIT: Limit = { quota: 'links', kind: 'paced', most: 30, perSeconds: 60, burst: 10 }
/** More than any real short link has. */
const MAX_STEPS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DEAD_ENDS = new Set([400, 404, 410])
const CONSENT = new Set(CONSENT_HOSTS)

/** Null if there is none or no way to ask. */
export type PlaceOfCid = (cid: string) => Promise<ReviewPage | null>

/**
 * Checks each redirect first, so that only Google's link and map hosts are contacted, over TLS and without cookies.
 * Null if the link leads to no place.
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
    const next = stepOf(address)
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
  /** The address contains the target address. */
  | { kind: 'target'; address: string }
  | { kind: 'ask'; url: URL }
  | { kind: 'nowhere' }

function stepOf(address: string): Step {
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

/** Google's page for suspected robots carries the wanted address. */
function heldBack(url: URL): Step {
  const found = parseReviewLink(url.searchParams.get('continue') ?? '')
  if (found?.platform === 'googlemaps' && 'id' in found) return { kind: 'page', page: found }
  throw new SourceFault('throttled', 'Google asks whether a person follows its link')
}

/** Null if the reply is no redirect. */
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

/** The request has no credentials. */
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
