import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** In IPv4 form where there is one. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** First address and number of shared leading bits. */
export type IpRange = [IpAddress, number]

/** Null unless both Node and the library accept it: the library also takes forms such as 1.2.3. */
export function readAddress(text: string): IpAddress | null {
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : null
}

/** An address without brackets or a CIDR range; null for other text. */
export function parseIpRange(text: string): IpRange | null {
  if (!text.includes('/')) {
    const address = readAddress(text)
    return address && [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  return ipaddr.isValidCIDR(text) && isIP(text.slice(0, text.indexOf('/'))) !== 0
    ? inOwnForm(ipaddr.parseCIDR(text))
    : null
}

/** An IPv4 address is in no IPv6 range, not even ::/0. */
export function isInRange(address: IpAddress, range: IpRange): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}

/** For counting callers: the network of an IPv6 address, because its owner has all addresses in it. */
export function networkOf(ip: string): string {
  const address = readAddress(ip)
  if (address === null) return 'unknown'
  return address.kind() === 'ipv4' ? address.toString() : Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')
}

/** Mapped IPv4 ranges become IPv4 ranges, as addresses do. */
function inOwnForm([address, bits]: IpRange): IpRange {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits]
}
