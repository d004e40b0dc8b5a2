import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { readAddress } from './ip-range.ts'

/** Localhost or a loopback address. */
export function isOfThisMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(origin)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || readAddress(host)?.range() === 'loopback'
}

export interface Peer {
  /** The other end of the connection. */
  address: string | undefined
  headers: IncomingHttpHeaders
}

/** A caller behind a proxy on this machine is not on this machine. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

export function passedProxy(headers: IncomingHttpHeaders): boolean {
  return PROXY_HEADERS.some((name) => headers[name] !== undefined)
}

/** A foreign Host means a hidden proxy, or a web page with a name that resolves to here. */
export function isFromThisMachine({ address, headers }: Peer): boolean {
  return (
    !passedProxy(headers) &&
    address !== undefined &&
    readAddress(address)?.range() === 'loopback' &&
    namesThisMachine(headers.host)
  )
}

function namesThisMachine(host: string | undefined): boolean {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host ?? '')
  return name !== null && (isIP(name[1] ?? name[2]!) !== 0 || name[2]?.toLowerCase() === 'localhost')
}
