import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { readAddress } from './ip-range.ts'

/**
 * Whether an origin can only be reached from the machine that it is on: its host is localhost or a loopback address.
 */
export function isOfThisMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(origin)
}

/** Whether a server that listens on this address or name takes connections of its own machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || readAddress(host)?.range() === 'loopback'
}

/** What tells where a request comes from. */
export interface Peer {
  /** The address at the other end of the connection. */
  address: string | undefined
  headers: IncomingHttpHeaders
}

/** Headers that a proxy adds. Whoever can reach a proxy on this machine is not on this machine for that. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

/** Whether a request says that it came through a proxy. */
export function passedProxy(headers: IncomingHttpHeaders): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined)
}

/**
 * Whether a request was made on this machine: a foreign name means a proxy that hides itself, or a web page whose name
 * was made to lead here.
 */
export function isFromThisMachine({ address, headers }: Peer): boolean {
  return (
    !passedProxy(headers) &&
    address !== undefined &&
    readAddress(address)?.range() === 'loopback' &&
    namesThisMachine(headers.host)
  )
}

/** Whether a Host header holds an IP address or localhost, with or without a port. */
function namesThisMachine(host: string | undefined): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host ?? '')
  return name !== null && (isIP(name[1] ?? name[2]!) !== 0 || name[2]?.toLowerCase() === 'localhost')
}
