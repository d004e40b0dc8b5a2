import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type IpRange, isInRange, parseIpRange, readAddress } from '../../kernel/ip-range.ts'
import { type Metrics, renderMetrics } from '../../kernel/metrics.ts'

/** Headers that a proxy adds. Whoever can reach a proxy on the operator's machine is not the operator for that. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const

/** Reads the entries of the setting. Throws RangeError for one that is neither an address nor a range. */
export function readOperatorAddresses(entries: readonly string[]): IpRange[] {
  return entries.map((entry) => {
    const range = parseIpRange(entry)
    if (range === null) throw new RangeError(`${JSON.stringify(entry)} is no IP address or range of addresses`)
    return range
  })
}

/** What tells an operator's request from others. */
export interface Peer {
  /** The address at the other end of the connection. */
  address: string | undefined
  headers: FastifyRequest['headers']
}

/** Whether a request comes straight from an address of the operator. */
export function isOperator({ address, headers }: Peer, ranges: readonly IpRange[]): boolean {
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false
  const ip = address === undefined ? null : readAddress(address)
  if (ip === null || !ranges.some((range) => isInRange(ip, range))) return false
  // On the machine itself a foreign name means a proxy that hides itself, or a web page whose name was made to lead here.
  return ip.range() !== 'loopback' || namesThisMachine(headers.host)
}

/** Whether a Host header holds an IP address or localhost, with or without a port. */
function namesThisMachine(host: string | undefined): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host ?? '')
  return name !== null && (isIP(name[1] ?? name[2]!) !== 0 || name[2]?.toLowerCase() === 'localhost')
}

/**
 * Serves the metrics at /metrics. Who may read them is decided by the caller before, as for every route; this only
 * makes the text, once at a time, and hands it to everybody who asks meanwhile.
 */
export function serveMetrics(server: FastifyInstance, metrics: Metrics): void {
  let rendering: Promise<string> | null = null
  const render = () => {
    rendering ??= renderMetrics(metrics).finally(() => {
      rendering = null
    })
    return rendering
  }
  server.get('/metrics', { config: { operatorsOnly: true } }, async (_request, reply) =>
    reply
      .header('Cache-Control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await render()),
  )
}
