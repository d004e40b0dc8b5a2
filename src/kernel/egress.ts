import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { canParse } from './can-parse.ts'
import { type IpRange, isInRange, parseIpRange, readAddress } from './ip-range.ts'

/** Why an address may not be asked: one reason for people, to be put behind the name of a field. */
export interface Refused {
  reason: string
}

/** What is wrong with a list of exempt destinations, naming the bad entry. */
export interface EgressProblem {
  problem: string
}

/** All addresses of a host name. Rejects, or answers none, when there are none. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>

export interface EgressOptions {
  /**
   * Exempt from the ban on addresses that are not public, and from https: hosts, host:port, IP addresses, CIDR ranges.
   * See `parseEgressAllow`.
   */
  allow: readonly string[]
  /**
   * Connections that one origin may have at once; so many that no channel waits for another's unless told otherwise.
   */
  connectionsPerOrigin?: number
  /** How long resolving, connecting and the TLS handshake may take together; 5,000 ms unless told otherwise. */
  connectTimeoutMs?: number
  /** Replaces the resolving of host names. */
  lookup?: Lookup
}

/** The service's only door to addresses that people outside have named. */
export interface Egress {
  /**
   * Connections are kept alive, a bounded number for each origin, one request at a time on each. Never follows a
   * redirect by itself.
   */
  dispatcher: Dispatcher
  /**
   * Judges an address without asking the network: null when it may be stored. A host name that passes is judged again,
   * by the addresses it resolves to, whenever a connection is made.
   */
  check(url: string): Refused | null
  /** Cuts every connection; requests on the way fail. Idempotent. */
  close(): Promise<void>
}

/** The connection was not made because the host is, or resolves to, an address that is not public. */
export class EgressBan extends Error {
  readonly code = 'EGRESS_BANNED'

  constructor() {
    // The address stays out of the message: it would tell a stranger how names resolve inside the operator's network.
    super('the host has an address that is not public')
    this.name = 'EgressBan'
  }
}

/** The longest address accepted, in characters. */
export const MAX_URL_LENGTH = 2048

/**
 * More than deliveries have on the wire at once, over all channels together. Many channels share an origin, such as
 * that of a chat service; how much each of them may take is the business of their lanes, and here none waits behind
 * another.
 */
const CONNECTIONS_PER_ORIGIN = 1536
const CONNECT_TIMEOUT_MS = 5000
/**
 * How long one address of several is tried before the next; the runtime's own 250 ms is too short for far continents.
 */
const NEXT_ADDRESS_AFTER_MS = 600
/** A name may have any number of addresses, all are judged, but only so many are tried. */
const MAX_ADDRESSES_TRIED = 6

export function createEgress(options: EgressOptions): Egress {
  const rules = options.allow.map((entry) => {
    const rule = parseRule(entry)
    if ('problem' in rule) throw new RangeError(rule.problem)
    return rule
  })
  const agent = new Agent({
    connect: guardedConnector(rules, options),
    connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
  })
  return {
    dispatcher: agent,
    check: (url) => checkAddress(url, rules),
    close: () => agent.destroy(),
  }
}

/**
 * Reads the list of exempt destinations: entries divided by commas or white space, each a host name, an IP address, one
 * of these with a port, or a CIDR range. The answer is the entries, or the first problem, which names its entry.
 */
export function parseEgressAllow(text: string): string[] | EgressProblem {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  for (const entry of entries) {
    const rule = parseRule(entry)
    if ('problem' in rule) return rule
  }
  return entries
}

/** True when an address is an ordinary public one. Text that is no IP address is not. */
export function isPublicAddress(address: string): boolean {
  const ip = readAddress(address)
  return (
    ip !== null && ip.range() === 'unicast' && !(ip.kind() === 'ipv6' && NOT_PUBLIC.some((range) => ip.match(range)))
  )
}

/** A prefix for packets that lead nowhere (RFC 9780), which the library takes for an ordinary one. */
const DUMMY = '100:0:0:1::/64'

/**
 * Ranges in which an IPv4 address travels inside an IPv6 one: a gateway could lead such a packet to a private network.
 */
const CARRIES_IPV4 = ['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32']

const NOT_PUBLIC = [DUMMY, ...CARRIES_IPV4].map((range) => ipaddr.parseCIDR(range))

/** One exempt destination: a name or a range, at one port or at all. */
type Rule = { port: number | null } & ({ name: string } | { range: IpRange })

function parseRule(entry: string): Rule | EgressProblem {
  const problem = (why: string) => ({ problem: `${JSON.stringify(entry)} ${why}` })
  const range = parseIpRange(entry)
  if (range !== null) return { port: null, range }
  if (entry.includes('/')) return problem('is no range of addresses such as 10.0.0.0/8')

  const parts = /^(?:\[([^\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry)
  if (!parts) return problem('is no host, host:port, IP address or range of addresses')
  const port = parts[3] === undefined ? null : Number(parts[3])
  if (port !== null && (port < 1 || port > 65_535)) return problem('has a port outside 1 to 65535')
  const bracketed = parts[1]
  const address = parseIpRange(bracketed ?? parts[2]!)
  if (bracketed !== undefined)
    return isIP(bracketed) === 6 && address !== null
      ? { port, range: address }
      : problem('has no IPv6 address in its brackets')
  const host = parts[2]!
  if (address !== null) return { port, range: address }
  const name = plainName(domainToASCII(host))
  // A name that ends in a number is another spelling of an IPv4 address, which a URL never keeps.
  if (name === '' || !isHostName(name) || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name))
    return problem('is neither a host name nor an IP address')
  return { port, name }
}

function isExempt(rules: readonly Rule[], host: string, port: number, address: string | null): boolean {
  const ip = address === null ? null : readAddress(address)
  return rules.some((rule) => {
    if (rule.port !== null && rule.port !== port) return false
    if ('name' in rule) return rule.name === host
    return ip !== null && isInRange(ip, rule.range)
  })
}

/** Names that never stand for a public host. Refused early, for the sake of a clear message; the addresses decide. */
const LOCAL_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'invalid', 'onion']

function checkAddress(text: string, rules: readonly Rule[]): Refused | null {
  if (text.length > MAX_URL_LENGTH) return { reason: `must have at most ${MAX_URL_LENGTH} characters` }
  // The parser drops white space and turns backslashes, so that the text would not say where it leads.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the purpose
  if (/[\s\\\u0000-\u001f\u007f]/.test(text))
    return { reason: 'must not hold white space, backslashes or control characters' }
  if (!/^https?:\/\//i.test(text) || !canParse(text)) return { reason: 'must be an https URL' }
  const url = new URL(text)
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text)) return { reason: 'must not hold a user name or password' }
  if (url.port === '0') return { reason: 'must not name port 0' }

  const literal = literalOf(url.hostname)
  const name = url.hostname
  const exempt = isExempt(rules, plainName(name), portOf(url), literal)
  if (url.protocol === 'http:' && !exempt) return { reason: 'must be an https URL' }
  if (exempt) return null
  if (literal !== null) return isPublicAddress(literal) ? null : { reason: 'must lead to a public address' }
  if (name.endsWith('.')) return { reason: 'must not have a host that ends in a dot' }
  if (
    !isHostName(name) ||
    !name.includes('.') ||
    LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`))
  ) {
    return { reason: 'must name a public host' }
  }
  return null
}

function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
}

/**
 * The IP address that a URL's host is, without brackets; null for a name. The URL parser has unravelled odd spellings.
 */
function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? null : bare
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function portOf(of: { protocol: string; port: string }): number {
  if (of.port !== '') return Number(of.port)
  return of.protocol === 'https:' ? 443 : 80
}

/**
 * Makes connections to permitted addresses only. Names are resolved here, every answer is judged, and the connection is
 * made to the answers that were judged, so a name that resolves differently a moment later gains nothing. The runtime
 * asks no lookup for literal addresses: they are judged before. The address that was reached is compared once more at
 * the end, in case that any of this ever changes.
 */
function guardedConnector(rules: readonly Rule[], options: EgressOptions): buildConnector.connector {
  const permitted = (host: string, port: number, address: string) =>
    isPublicAddress(address) || isExempt(rules, host, port, address)
  const lookup = options.lookup ?? defaultLookup(rules)
  const connectorAt = (port: number) =>
    buildConnector({
      timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      lookup: judgingLookup(lookup, (host, address) => permitted(host, port, address)),
    })
  // A lookup is not told the port, so each port that a rule names has a connector of its own.
  const connectors = new Map(
    rules.flatMap((rule) => (rule.port === null ? [] : [[rule.port, connectorAt(rule.port)] as const])),
  )
  const anyOtherPort = connectorAt(-1)

  return (target, callback) => {
    const host = plainName(target.hostname)
    const port = portOf(target)
    if (isIP(host) !== 0 && !permitted(host, port, host)) {
      callback(new EgressBan(), null)
      return
    }
    const connect = connectors.get(port) ?? anyOtherPort
    connect(target, (...[error, socket]: buildConnector.CallbackArgs) => {
      if (error) return callback(error, null)
      if (!reachedPermitted(socket, (address) => permitted(host, port, address))) {
        socket.on('error', () => undefined).destroy()
        return callback(new EgressBan(), null)
      }
      callback(null, socket)
    })
  }
}

function reachedPermitted(socket: Socket, permitted: (address: string) => boolean): boolean {
  // A socket that was cut already has no address; its next use fails in the ordinary way.
  return socket.remoteAddress === undefined || permitted(socket.remoteAddress)
}

/** A lookup for connections that answers only when every address of the name is permitted. */
export function judgingLookup(lookup: Lookup, permitted: (host: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const host = plainName(hostname)
    lookup(hostname).then(
      (answers) => {
        if (answers.length === 0) return callback(notFound(), '', 4)
        // One address that is not permitted condemns the name: nobody mixes public and private answers in good faith.
        if (!answers.every(({ address }) => permitted(host, address))) return callback(new EgressBan(), '', 4)
        if (options.all) return callback(null, answers.slice(0, MAX_ADDRESSES_TRIED))
        callback(null, answers[0]!.address, answers[0]!.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}

function notFound(): NodeJS.ErrnoException {
  return Object.assign(new Error('the host name has no address'), { code: 'ENOTFOUND' })
}

/**
 * Names that the operator has exempted are resolved as the system does, hosts file and search domains included. All
 * others are asked of the name servers directly: the system's resolver has four threads for the whole process, and a
 * handful of names whose servers never answer would hold up everybody's.
 */
function defaultLookup(rules: readonly Rule[]): Lookup {
  const system = promisify(systemLookup)
  const names = new Set(rules.flatMap((rule) => ('name' in rule ? [rule.name] : [])))
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  return (hostname) => {
    const name = plainName(hostname)
    return names.has(name) || name === 'localhost'
      ? system(hostname, { all: true })
      : resolveBothFamilies(resolver, hostname)
  }
}

async function resolveBothFamilies(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const answers = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (answers.length === 0 && four.status === 'rejected' && !SAYS_NONE.has(four.reason.code)) {
    throw Object.assign(new Error('the host name could not be resolved', { cause: four.reason }), { code: 'EAI_AGAIN' })
  }
  return answers
}

/** Name servers that answer, and answer that there is no such address. */
const SAYS_NONE = new Set(['ENOTFOUND', 'ENODATA'])
