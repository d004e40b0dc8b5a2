import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import type { Platform } from '../domain/platform/platforms.ts'
import { canParse } from '../kernel/can-parse.ts'
import type { Log } from '../kernel/log.ts'
import {
  ANY_HOST,
  type Budget,
  type CollectContext,
  type Cost,
  SourceFault,
  type SourceReply,
  type SourceRequest,
} from './contract.ts'
import { headersOf, lowerCased, openReply, unreachable } from './open-reply.ts'
import { withoutCredentials } from './without-credentials.ts'

export interface CollectOptions {
  /** Replaces every host of the platform, paths unchanged, such as http://127.0.0.1:4500/reddit. */
  address: string | null
  /** Such as one that refuses private networks. The operator's own address bypasses it. */
  dispatcher?: Dispatcher
  userAgent: string
  at: Date
  signal: AbortSignal
  log: Log
  /** 15,000 by default. */
  timeoutMs?: number
  /** No limits if absent. */
  budget?: Budget
}

const TIMEOUT_MS = 15_000
const LONGEST_TIMEOUT_MS = 300_000
const MAX_BODY_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 3
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Each is decoded up to the size limit. */
const MAX_ENCODINGS = 2
const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', promisify(inflate)],
])

/**
 * Network access of one source for one poll. Failures are SourceFault 'unavailable'; an abort rejects with the signal's
 * reason.
 */
export function createCollectContext(
  source: { platform: Platform; hosts: readonly string[] },
  options: CollectOptions,
): CollectContext {
  const addressOf = (url: string) => placed(declared(source, url), options.address)
  return {
    userAgent: options.userAgent,
    at: options.at,
    signal: options.signal,
    log: options.log,
    addressOf,
    spend: (cost) => options.budget?.spend(cost),
    async open(url, headers) {
      const { signal, userAgent } = options
      return openReply(addressOf(url), { 'user-agent': userAgent, ...headers }, dispatcherOf(options), {
        signal,
        timeoutMs: timeoutOf({}, options),
      })
    },
    async fetch(url, init = {}) {
      options.signal.throwIfAborted()
      declared(source, url)
      const cost = init.cost ?? {}
      await options.budget?.take(cost, options.signal)
      try {
        return await withinTime(timeoutOf(init, options), options, (signal) =>
          followed(source, url, init, { ...options, signal }),
        )
      } catch (error) {
        // A request that was not sent costs nothing.
        if (isUnsent(error)) options.budget?.spend(negative(cost))
        throw error
      }
    },
  }
}

/** A leading dot admits subdomains only. */
export function isDeclaredHost(hosts: readonly string[], host: string): boolean {
  return hosts.some((text) =>
    text.startsWith('.') ? host.endsWith(text) && host.length > text.length : text === ANY_HOST || host === text,
  )
}

/** Throws for an undeclared host or scheme, before any connection. */
function declared(source: { platform: Platform; hosts: readonly string[] }, address: string): URL {
  const url = canParse(address) ? new URL(address) : null
  if (!url || !/^(?:https?|wss?):$/.test(url.protocol))
    throw new SourceFault('unavailable', `${source.platform}: not an address that can be asked`)
  if (!isDeclaredHost(source.hosts, url.host) && !isDeclaredHost(source.hosts, url.hostname)) {
    throw new SourceFault('unavailable', `${source.platform}: ${url.host} is none of its declared hosts`)
  }
  return url
}

function placed(url: URL, address: string | null): string {
  if (address === null) return url.href
  const base = new URL(address)
  const socket = url.protocol === 'ws:' || url.protocol === 'wss:'
  const protocol = socket ? base.protocol.replace('http', 'ws') : base.protocol
  return `${protocol}//${base.host}${base.pathname.replace(/\/+$/, '')}${url.pathname}${url.search}`
}

/** Without a connection the platform cannot have counted the request. */
function isUnsent(error: unknown): boolean {
  const cause = error instanceof SourceFault ? error.cause : null
  return cause instanceof Error && 'code' in cause && UNSENT.has(String(cause.code))
}

function negative(cost: Cost): Cost {
  return Object.fromEntries(Object.entries(cost).map(([quota, amount]) => [quota, -amount]))
}

function timeoutOf(init: SourceRequest, options: CollectOptions): number {
  return options.timeoutMs ?? Math.min(LONGEST_TIMEOUT_MS, init.timeoutMs ?? TIMEOUT_MS)
}

/** Tells whether the caller or the timeout aborted. */
async function withinTime<Result>(
  timeoutMs: number,
  options: CollectOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  options.signal.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(options.signal.reason)
  const timer = setTimeout(
    () => controller.abort(new SourceFault('unavailable', `no whole reply within ${timeoutMs} ms`)),
    timeoutMs,
  )
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    throw error instanceof SourceFault ? error : unreachable(error, controller.signal)
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stop)
  }
}

async function followed(
  source: { platform: Platform; hosts: readonly string[] },
  address: string,
  init: SourceRequest,
  options: CollectOptions,
): Promise<SourceReply> {
  let url = declared(source, address)
  let headers = init.headers ?? {}
  for (let redirects = 0; ; redirects += 1) {
    const reply = await asked(url, { ...init, headers }, options)
    const location = reply.headers['location']
    if (!REDIRECTS.has(reply.status) || !location || init.redirect === 'manual') return reply
    if ((init.method ?? 'GET') !== 'GET')
      throw new SourceFault('unavailable', `${source.platform}: a POST was redirected`)
    if (redirects === MAX_REDIRECTS)
      throw new SourceFault('unavailable', `${source.platform}: more than ${MAX_REDIRECTS} redirections`)
    const next = redirected(source, location, url, options.address)
    if (next.protocol === 'http:' && url.protocol === 'https:')
      throw new SourceFault('unavailable', `${source.platform}: redirected to an unencrypted address`)
    if (next.host !== url.host) headers = withoutCredentials(headers)
    url = next
  }
}

/** A stand-in may redirect to itself: maps its address back to the platform's. */
function redirected(
  source: { platform: Platform; hosts: readonly string[] },
  location: string,
  from: URL,
  address: string | null,
): URL {
  const base = address?.replace(/\/+$/, '')
  const target = base !== undefined && location.startsWith(`${base}/`) ? location.slice(base.length) : location
  if (!canParse(target, from.href))
    throw new SourceFault('unavailable', `${source.platform}: redirected to something that is no address`)
  return declared(source, new URL(target, from.href).href)
}

async function asked(url: URL, init: SourceRequest, options: CollectOptions): Promise<SourceReply> {
  const reply = await request(placed(url, options.address), {
    method: init.method ?? 'GET',
    headers: { 'user-agent': options.userAgent, 'accept-encoding': 'gzip, br', ...lowerCased(init.headers ?? {}) },
    body: init.body ?? null,
    signal: options.signal,
    ...dispatcherOf(options),
  })
  const headers = headersOf(reply)
  const raw = await bytesOf(reply.body)
  return { status: reply.statusCode, headers, body: await textOf(raw, headers) }
}

function dispatcherOf({ dispatcher, address }: CollectOptions): { dispatcher?: Dispatcher } {
  return dispatcher && address === null ? { dispatcher } : {}
}

async function bytesOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) {
      body.destroy()
      throw tooLarge()
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(cause?: unknown): SourceFault {
  return new SourceFault('unavailable', `the reply is larger than ${MAX_BODY_BYTES} bytes`, { onlyThis: true, cause })
}

/** The last encoding first, each within the size limit; UTF-8 if the character set is unknown. */
async function textOf(raw: Buffer, headers: Record<string, string>): Promise<string> {
  let bytes = raw
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',', MAX_ENCODINGS + 1)
  if (encodings.length > MAX_ENCODINGS)
    throw new SourceFault('unavailable', `the reply is encoded more than ${MAX_ENCODINGS} times`)
  for (const encoding of encodings.reverse()) {
    const decode = DECODERS.get(encoding.trim())
    if (decode && bytes.length > 0) bytes = await decode(bytes, { maxOutputLength: MAX_BODY_BYTES }).catch(undecoded)
  }
  const charset = headers['content-type']?.match(/charset=["']?([\w-]{1,40})/i)?.[1] ?? 'utf-8'
  return decoderFor(charset).decode(bytes)
}

function undecoded(error: unknown): never {
  throw error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    ? tooLarge(error)
    : error
}

function decoderFor(charset: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8')
  }
}
