import type { FastifyInstance } from 'fastify'
import { type IpRange, isInRange, parseIpRange, readAddress } from '../../kernel/ip-range.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { isFromThisMachine, type Peer, passedProxy } from '../../kernel/this-machine.ts'
import type { ServedMetrics } from './request-metrics.ts'

/** Reads the entries of the setting. Throws RangeError for one that is neither an address nor a range. */
export function readOperatorAddresses(entries: readonly string[]): IpRange[] {
  return entries.map((entry) => {
    const range = parseIpRange(entry)
    if (range === null) throw new RangeError(`${JSON.stringify(entry)} is no IP address or range of addresses`)
    return range
  })
}

/** Whether a request comes straight from an address of the operator. */
export function isOperator(peer: Peer, ranges: readonly IpRange[]): boolean {
  const ip = peer.address === undefined ? null : readAddress(peer.address)
  if (ip === null || !ranges.some((range) => isInRange(ip, range))) return false
  return ip.range() === 'loopback' ? isFromThisMachine(peer) : !passedProxy(peer.headers)
}

/**
 * Serves the metrics at /metrics. Who may read them is decided by the caller before, as for every route; this only
 * makes the text, once at a time, and hands it to everybody who asks meanwhile.
 */
export function serveMetrics(server: FastifyInstance, metrics: ServedMetrics): void {
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
