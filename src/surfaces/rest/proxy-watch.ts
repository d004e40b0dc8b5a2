import type { FastifyRequest } from 'fastify'
import { type IpRange, isInRange, parseIpRange, readAddress } from '../../kernel/ip-range.ts'
import type { Log } from '../../kernel/log.ts'

/** Warns once of a proxy that the settings do not name, because all its callers share one limit. */
export class ProxyWatch {
  private readonly trusted: readonly IpRange[]
  private told = false

  constructor(
    trustedProxies: readonly string[],
    private readonly log: Log,
  ) {
    this.trusted = trustedProxies.flatMap((entry) => [parseIpRange(entry)].filter((range) => range !== null))
  }

  see({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): void {
    if (this.told || headers['x-forwarded-for'] === undefined || this.isTrusted(socket.remoteAddress)) return
    this.told = true
    this.log.warn(
      { event: 'request.proxy_untrusted', peer: socket.remoteAddress },
      'A request has X-Forwarded-For from an address that TRUSTED_PROXIES does not name. If it is your proxy, add ' +
        'it; otherwise everybody behind it shares the limits of one address',
    )
  }

  private isTrusted(peer: string | undefined): boolean {
    const address = peer === undefined ? null : readAddress(peer)
    return address !== null && this.trusted.some((range) => isInRange(address, range))
  }
}
