import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { canParse } from './can-parse.ts'
import { type IpRange, isInRange, parseIpRange, readAddress } from './ip-range.ts'

/** The reason continues the name of a field. */
export interface EgressRefused {
  reason: string
}

export interface EgressProblem {
  problem: string
}

/** Rejects, or returns an empty list, for an unknown name. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>

export interface EgressOptions {
  /** Hosts, host:port, IP addresses and CIDR ranges exempt from the bans on private addresses and on http. */
  allow: readonly string[]
  /** Default: CONNECTIONS_PER_ORIGIN. */
  connectionsPerOrigin?: number
  /** For name resolution, connection and TLS handshake together; 5,000 by default. */
  connectTimeoutMs?: number
  lookup?: Lookup
}

/** The only way to reach addresses that outsiders have named. */
export interface Egress {
  /** Keeps connections alive, one request at a time on each, and never follows a redirect. */
  dispatcher: Dispatcher
  /**
   * Null when the address may be stored. Asks no network: names are judged again by their addresses at each connection.
   */
  check(url: string): EgressRefused | null
  /** Cuts every connection; requests in flight fail. Idempotent. */
  close(): Promise<void>
}

/** The host is, or resolves to, an address that is not public. */
export class EgressBan extends Error {
  readonly code = 'EGRESS_BANNED'

  constructor() {
    // Without the address: it would reveal how names resolve in the operator's network.
    super('the host has an address that is not public')
    this.name = 'EgressBan'
  }
}

/** In characters. */
export const MAX_URL_LENGTH = 2048

/** More than all deliveries in flight, because many channels share an origin; lanes limit each of them. */
const CONNECTIONS_PER_ORIGIN = 1536
const CONNECT_TIMEOUT_MS = 5000
/** Before the next address is tried; Node's 250 ms is too short for distant continents. */
const NEXT_ADDRESS_AFTER_MS = 600
/** All addresses of a name are judged; only this many are tried. */
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

/** Entries are separated by commas or white space. Returns them, or the first problem. */
export function parseEgressAllow(text: string): string[] | EgressProblem {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  for (const entry of entries) {
    const rule = parseRule(entry)
    if ('problem' in rule) return rule
  }
  return entries
}

/** False for text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  const ip = readAddress(address)
  return (
    ip !== null && ip.range() === 'unicast' && !(ip.kind() === 'ipv6' && NOT_PUBLIC.some((range) => ip.match(range)))
  )
}

/** A discard prefix (RFC 9780), which the library takes as public. */
const DUMMY = '100:0:0:1::/64'

/** IPv6 ranges that embed IPv4 addresses: a gateway could route them to a private network. */
const CARRIES_IPV4 = ['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32']

const NOT_PUBLIC = [DUMMY, ...CARRIES_IPV4].map((range) => ipaddr.parseCIDR(range))

/** At one port, or at any for null. */
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
  // A name that ends in a number is another spelling of an IPv4 address, which URLs rewrite.
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

/** Refused early for a clear message; the resolved addresses decide. */
const LOCAL_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'invalid', 'onion']

function checkAddress(text: string, rules: readonly Rule[]): EgressRefused | null {
  if (text.length > MAX_URL_LENGTH) return { reason: `must have at most ${MAX_URL_LENGTH} characters` }
  // The URL parser drops white space and turns backslashes, so the text would hide its destination.
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

/** Null for a name. The URL parser has already rewritten odd spellings. */
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
 * Names are resolved and judged here, and the connection goes to a judged address, so a later change of DNS gains
 * nothing. Literal addresses skip the lookup and are judged before. The connected address is checked once more.
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
  // A lookup gets no port, so each port of a rule has its own connector.
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
  // A socket that was cut has no address, and fails at its next use.
  return socket.remoteAddress === undefined || permitted(socket.remoteAddress)
}

export function judgingLookup(lookup: Lookup, permitted: (host: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const host = plainName(hostname)
    lookup(hostname).then(
      (answers) => {
        if (answers.length === 0) return callback(notFound(), '', 4)
        // One private address condemns the name: nobody mixes both in good faith.
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
 * Exempt names use the system's resolver with hosts file and search domains. Others ask name servers directly: the
 * system's resolver has four threads, which a few unanswered names would block.
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

/** Answers that mean no such address. */
const SAYS_NONE = new Set(['ENOTFOUND', 'ENODATA'])
