import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One IP address, in its IPv4 form when it has one. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** A range of addresses: where it begins and how many leading bits its addresses share. */
export type IpRange = [IpAddress, number]

/**
 * An address in its IPv4 form when it has one; null unless both the runtime and the library take it, for the library
 * also takes forms such as 1.2.3.
 */
export function readAddress(text: string): IpAddress | null {
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : null
}

/** Reads an IP address without brackets, or a CIDR range such as 10.0.0.0/8; null for anything else. */
export function parseIpRange(text: string): IpRange | null {
  if (!text.includes('/')) {
    const address = readAddress(text)
    return address && [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  return ipaddr.isValidCIDR(text) && isIP(text.slice(0, text.indexOf('/'))) !== 0
    ? inOwnForm(ipaddr.parseCIDR(text))
    : null
}

/** Whether an address lies in a range. An IPv4 address is in no IPv6 range, not even in ::/0. */
export function isInRange(address: IpAddress, range: IpRange): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}

/**
 * The address of a caller as it is counted: of IPv6 the network, because whoever has one address of it has all of them.
 */
export function networkOf(ip: string): string {
  const address = readAddress(ip)
  if (address === null) return 'unknown'
  return address.kind() === 'ipv4' ? address.toString() : Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')
}

/** Addresses are compared in IPv4 form when they have one, so a range in the mapped form is kept in that form too. */
function inOwnForm([address, bits]: IpRange): IpRange {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits]
}
