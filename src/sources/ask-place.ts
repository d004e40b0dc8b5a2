import { canParse } from '../kernel/can-parse.ts'
import { ANY_HOST, type CollectContext, SourceFault, type SourceReply } from './contract.ts'
import { faultOfStatus } from './reply-fault.ts'
import { withoutCredentials } from './without-credentials.ts'

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface AskedPlace {
  address: string
  /** Any other host is a move. ANY_HOST admits every host. */
  hosts: readonly string[]
  /** Credentials among them go to the address's own host only. */
  headers: Record<string, string>
  /** Called before each request, redirects included; a rejection ends the asking. */
  check?: (address: string) => Promise<void>
  /** 3 by default. */
  mostRedirects?: number
}

export interface PlaceReply extends SourceReply {
  /** The address that answered. */
  address: string
}

/**
 * Follows redirects within the hosts. A move to another host is SourceFault 'gone' that names the new address, since
 * whoever named the place decides whether it is the same.
 */
export async function askPlace(context: CollectContext, asked: AskedPlace): Promise<PlaceReply> {
  const { hosts, check, mostRedirects = MOST_REDIRECTS } = asked
  let { headers } = asked
  let url = new URL(asked.address)
  for (let redirects = 0; ; redirects += 1) {
    await check?.(url.href)
    const reply = await context.fetch(url.href, { redirect: 'manual', headers })
    const location = reply.headers['location']
    if (!REDIRECTS.has(reply.status) || !location) return { ...reply, address: url.href }
    if (redirects === mostRedirects) throw leadsNowhere('the address redirects without end')
    if (!canParse(location, url.href)) throw leadsNowhere('the address redirects to what is no web address')
    const to = next(new URL(location, url.href), url, hosts)
    if (to.host !== url.host) headers = withoutCredentials(headers)
    url = to
  }
}

function next(to: URL, from: URL, hosts: readonly string[]): URL {
  if (!/^https?:$/.test(to.protocol)) throw leadsNowhere('the address redirects to what is no web address')
  if (to.protocol === 'http:' && from.protocol === 'https:')
    throw leadsNowhere('the address redirects to an unencrypted one')
  if (!hosts.includes(ANY_HOST) && !hosts.includes(to.host))
    throw new SourceFault('gone', `The address has moved to ${to.href.slice(0, 300)}.`)
  return to
}

function leadsNowhere(message: string): SourceFault {
  return new SourceFault('unavailable', message, { onlyThis: true })
}

/** Refusals concern one place, and those of a key or a person's access are answered like a missing place. */
export function faultOfPlace(reply: SourceReply, at: Date): SourceFault | null {
  if (reply.status >= 300 && reply.status < 400)
    return new SourceFault('unavailable', `the address answers with status ${reply.status}`, { onlyThis: true })
  const fault = faultOfStatus(reply.status, reply.headers, at)
  if (fault === null || fault.kind === 'throttled' || fault.kind === 'unavailable') return fault
  return fault.kind === 'shape_changed' ? fault : new SourceFault('gone', goneMessage(reply.status))
}

function goneMessage(status: number): string {
  if (status === 401 || status === 403 || status === 407) return `The site refuses access (status ${status}).`
  return `There is nothing at this address (status ${status}).`
}
