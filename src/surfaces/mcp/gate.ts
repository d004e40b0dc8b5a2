import type { IncomingHttpHeaders } from 'node:http'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { canParse } from '../../kernel/can-parse.ts'

export interface Arrival {
  headers: IncomingHttpHeaders
  localPort: number | undefined
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export type OriginGate = (arrival: Arrival) => Refusal<'invalid_host' | 'invalid_origin'> | null

/**
 * Refuses requests through a rebound host name (DNS rebinding), and web pages without a credential. A page with a
 * credential may come from anywhere, because no browser adds one by itself. Cookies do not count.
 */
export function createGate(publicUrl: string): OriginGate {
  const own = new URL(publicUrl)
  return ({ headers: { host, origin, authorization }, localPort }) => {
    if (!isOwnHost(host, localPort, own))
      return refuse('invalid_host', `The tool server is not reached under this host; its address is ${publicUrl}/mcp.`)
    if (origin === undefined || isOwnOrigin(origin, own) || /^Bearer +\S/i.test(authorization ?? '')) return null
    return refuse('invalid_origin', 'Web pages of this origin may call the tool server only with a credential.')
  }
}

function isOwnHost(host: string | undefined, localPort: number | undefined, own: URL): boolean {
  if (host === own.host) return true
  if (parsed(`${own.protocol}//${host ?? ''}`)?.host === own.host) return true
  const asked = parsed(`http://${host ?? ''}`)
  return asked !== null && LOOPBACK.has(asked.hostname) && Number(asked.port || 80) === localPort
}

function isOwnOrigin(origin: string, own: URL): boolean {
  const page = parsed(origin)
  return (
    page !== null && (page.origin === own.origin || (/^https?:$/.test(page.protocol) && LOOPBACK.has(page.hostname)))
  )
}

function parsed(address: string): URL | null {
  return canParse(address) ? new URL(address) : null
}
