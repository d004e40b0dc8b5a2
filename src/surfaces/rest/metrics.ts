import type { FastifyInstance } from 'fastify'
import { type IpRange, isInRange, parseIpRange, readAddress } from '../../kernel/ip-range.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { isFromThisMachine, type Peer, passedProxy } from '../../kernel/this-machine.ts'
import type { ServedMetrics } from './request-metrics.ts'

/** Throws RangeError for an entry that is neither an address nor a range. */
export function readOperatorAddresses(entries: readonly string[]): IpRange[] {
  return entries.map((entry) => {
    const range = parseIpRange(entry)
    if (range === null) throw new RangeError(`${JSON.stringify(entry)} is no IP address or range of addresses`)
    return range
  })
}

/** Direct connections only: a proxy could pass on a stranger's request. */
export function isOperator(peer: Peer, ranges: readonly IpRange[]): boolean {
  const ip = peer.address === undefined ? null : readAddress(peer.address)
  if (ip === null || !ranges.some((range) => isInRange(ip, range))) return false
  return ip.range() === 'loopback' ? isFromThisMachine(peer) : !passedProxy(peer.headers)
}

/** The caller checks access. One rendering at a time serves all concurrent requests. */
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
