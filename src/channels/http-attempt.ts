import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import { MAX_RETRY_AFTER_SECONDS } from '../domain/delivery/lifecycle.ts'
import type { Clock } from '../kernel/clock.ts'
import { createDeadlines, type Deadlines } from '../kernel/concurrency/deadlines.ts'
import { EgressBan } from '../kernel/egress.ts'
import { cleanText, truncateBytes } from '../kernel/text.ts'
import { type SendOutcome, type SendResult, STOPPED } from './contract.ts'

/** Alternating names and values. */
export interface HttpRequest {
  origin: string
  path: string
  headers: string[]
  body: Buffer
}

export interface HttpAttemptOptions {
  dispatcher: Dispatcher
  clock: Clock
  /** For status and headers, in milliseconds. */
  limitMs: number
  /** Of a body with status 200, for kinds whose result is there; EXCERPT_BYTES by default. */
  keptBytes?: number
  /** Then the body must arrive within `limitMs` too. */
  bodyDecides?: boolean
}

export type HttpReply = { status: number; retryAfter: string | undefined; excerpt: Buffer } | { failed: SendOutcome }

export const EXCERPT_BYTES = 2048
/** A longer body closes the connection. */
export const DRAINED_BYTES = 64 * 1024
/** For the rest of a body where only the status matters. */
export const DRAIN_LIMIT_MS = 1000

/** Follows no redirects and judges by status. Never rejects. */
export function attemptHttp(
  request: HttpRequest,
  options: HttpAttemptOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  if (signal.aborted) return Promise.resolve({ ...temporary(STOPPED), durationMs: 0, replyExcerpt: null })
  const startMs = options.clock.monotonicMs()
  return new Promise((resolve) =>
    new Attempt(options, signal, (reply) => resolve(resultOf(reply, startMs, options.clock))).send(request),
  )
}

function resultOf(reply: HttpReply, startMs: number, clock: Clock): SendResult {
  const outcome = 'failed' in reply ? reply.failed : outcomeOf(reply.status, reply.retryAfter, clock.now())
  const replyExcerpt =
    'failed' in reply ? null : truncateBytes(cleanText(reply.excerpt.toString('utf8')), EXCERPT_BYTES)
  return { ...outcome, durationMs: Math.round(clock.monotonicMs() - startMs), replyExcerpt }
}

/** 408, 429 and 5xx are temporary. */
export function outcomeOf(status: number, retryAfter: string | undefined, at: Date): SendOutcome {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status }
  if (status === 408 || status === 429 || status >= 500) {
    return {
      outcome: 'temporary',
      reason: `status ${status}`,
      retryAfterSeconds: readRetryAfter(retryAfter, at),
      status,
    }
  }
  const reason = status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`
  return { outcome: 'permanent', reason, status }
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** 0 to 3,600 seconds; null if absent or invalid. */
export function readRetryAfter(value: string | undefined, at: Date): number | null {
  if (value === undefined) return null
  const text = value.trim()
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS)
  if (!HTTP_DATE.test(text)) return null
  const seconds = Math.ceil((Date.parse(text) - at.getTime()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}

/** Never rejects. */
export function post(request: HttpRequest, options: HttpAttemptOptions, signal: AbortSignal): Promise<HttpReply> {
  return new Promise((resolve) => new Attempt(options, signal, resolve).send(request))
}

/** By time limit; there are few limits. */
const limits = new Map<number, Deadlines<Attempt>>()

function limitOf(limitMs: number): Deadlines<Attempt> {
  const known = limits.get(limitMs)
  if (known) return known
  const made = createDeadlines<Attempt>(limitMs, (attempt) => attempt.onLimit())
  limits.set(limitMs, made)
  return made
}

/** A stream per reply would cost more than the rest of the attempt. */
class Attempt implements Dispatcher.DispatchHandler {
  #isOver = false
  #controller: Dispatcher.DispatchController | null = null
  #reply: { status: number; retryAfter: string | undefined } | null = null
  readonly #bodyParts: Buffer[] = []
  #keptBytes = 0
  #readBytes = 0
  #keptMax = EXCERPT_BYTES
  #limit: Deadlines<Attempt>
  readonly #options: HttpAttemptOptions
  readonly #signal: AbortSignal
  readonly #resolve: (reply: HttpReply) => void

  constructor(options: HttpAttemptOptions, signal: AbortSignal, resolve: (reply: HttpReply) => void) {
    this.#options = options
    this.#signal = signal
    this.#resolve = resolve
    this.#limit = limitOf(options.limitMs)
  }

  send({ origin, path, headers, body }: HttpRequest): void {
    attemptsUnder(this.#signal).add(this)
    this.#limit.set(this)
    try {
      // The dispatcher's own limits cost a further timer.
      this.#options.dispatcher.dispatch(
        { origin, path, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
        this,
      )
    } catch (error) {
      this.#end(failureOf(error))
    }
  }

  onLimit(): void {
    this.#cut(this.#reply === null ? temporary(`no reply within ${this.#options.limitMs / 1000} s`) : CLOSED)
  }

  onAborted(): void {
    this.#cut(temporary(STOPPED))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The attempt ended while it waited for a connection.
    if (this.#isOver) controller.abort(new Error('cut off'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isOver) return
    const retryAfter: string | string[] | undefined = headers['retry-after']
    this.#reply = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter }
    if (status === 200) this.#keptMax = this.#options.keptBytes ?? EXCERPT_BYTES
    if (this.#options.bodyDecides) return
    this.#limit.clear(this)
    this.#limit = limitOf(DRAIN_LIMIT_MS)
    this.#limit.set(this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#keptBytes < this.#keptMax) {
      // A slice would keep the connection's whole chunk in memory. Joined at the end, because a reply may have very
      // many chunks.
      const part = Buffer.from(chunk.subarray(0, this.#keptMax - this.#keptBytes))
      this.#bodyParts.push(part)
      this.#keptBytes += part.length
    }
    this.#readBytes += chunk.length
    if (this.#readBytes > Math.max(this.#keptMax, DRAINED_BYTES)) this.#cut(CLOSED)
  }

  onResponseEnd(): void {
    this.#end(CLOSED)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isOver) this.#end(failureOf(error))
  }

  #end(unlessReplied: SendOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#limit.clear(this)
    attemptsUnder(this.#signal).delete(this)
    this.#resolve(
      this.#reply === null ? { failed: unlessReplied } : { ...this.#reply, excerpt: Buffer.concat(this.#bodyParts) },
    )
  }

  #cut(unlessReplied: SendOutcome): void {
    if (this.#isOver) return
    this.#end(unlessReplied)
    this.#controller?.abort(new Error('cut off'))
  }
}

/** One listener per signal, because a lane has hundreds of attempts under one. */
const underSignal = new WeakMap<AbortSignal, Set<Attempt>>()

function attemptsUnder(signal: AbortSignal): Set<Attempt> {
  const known = underSignal.get(signal)
  if (known) return known
  const made = new Set<Attempt>()
  signal.addEventListener(
    'abort',
    () => {
      for (const attempt of made) attempt.onAborted()
    },
    { once: true },
  )
  underSignal.set(signal, made)
  return made
}

function temporary(reason: string): SendOutcome {
  return { outcome: 'temporary', reason, retryAfterSeconds: null, status: null }
}

const CLOSED = temporary('the connection was closed without a reply')

/** The errors' own texts hold addresses and parts of replies. */
const NETWORK_REASONS = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['UND_ERR_SOCKET', 'the connection was closed without a reply'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection within the time limit'],
  ['ETIMEDOUT', 'no connection within the time limit'],
  ['ENOTFOUND', 'the host name has no address'],
  ['ENODATA', 'the host name has no address'],
  ['ETIMEOUT', 'the host name could not be resolved'],
  ['EAI_AGAIN', 'the host name could not be resolved'],
  ['ESERVFAIL', 'the host name could not be resolved'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the host cannot be reached'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the reply are too large'],
])

function failureOf(error: unknown): SendOutcome {
  if (error instanceof EgressBan) return { outcome: 'permanent', reason: error.message, status: null }
  if (error instanceof errors.HTTPParserError) return temporary('the reply is not valid HTTP')
  const code = codeOf(error)
  if (code === null) return temporary('network error')
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/.test(code))
    return temporary(`no trusted TLS connection (${code})`)
  return temporary(NETWORK_REASONS.get(code) ?? `network error (${code})`)
}

/** The first address's code if several failed. */
function codeOf(error: unknown): string | null {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : null
}
