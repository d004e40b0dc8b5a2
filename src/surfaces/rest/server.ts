import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { newId, toId } from '../../kernel/ids.ts'
import type { IpRange } from '../../kernel/ip-range.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { AlreadyThere } from '../../operations/already-there.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import type { Operation, Services } from '../../operations/definition.ts'
import { callerIdOf, type Presented } from '../../operations/identify.ts'
import {
  type Admission,
  admit,
  type Door,
  failureOf,
  isNotWanted,
  needsCredential,
  openDoor,
  perform,
} from '../../operations/invoke.ts'
import { createRateLimits, type RateLimits } from '../../operations/rate-limit.ts'
import { Streamed } from '../../operations/streamed.ts'
import { knowBrowsers } from '../auth/browser.ts'
import { NO_SESSION, presentedBy } from '../auth/presented.ts'
import type { SignInProvider } from '../auth/providers/provider.ts'
import { serveAuth } from '../auth/serve-auth.ts'
import { acceptJsonBodies } from '../http/body.ts'
import { answerTo, Refused, refusalBehind } from '../http/envelope.ts'
import {
  bearerOf,
  CORS_HEADERS,
  challenge,
  ownRequestId,
  PREFLIGHT_HEADERS,
  rateLimitHeaders,
  securityHeaders,
} from '../http/headers.ts'
import { signalOf } from '../http/signal.ts'
import { serveInbound } from '../inbound/serve-inbound.ts'
import { serveTools } from '../mcp/serve-tools.ts'
import type { OAuthDoor } from '../oauth/door.ts'
import { serveOAuth } from '../oauth/serve-oauth.ts'
import { openApiDocument } from '../openapi/document.ts'
import { answerConnect, answerMalformed, HEAD_LIMIT, NO_ROUTE } from './malformed.ts'
import { type KnownMethods, noteMethods } from './methods.ts'
import { isOperator, readOperatorAddresses, serveMetrics } from './metrics.ts'
import { keepOrigins } from './origins.ts'
import { servePages } from './pages.ts'
import { ProxyWatch } from './proxy-watch.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** True for what only operators may see; to all others there is no such route. */
    operatorsOnly?: boolean
  }
  interface FastifyRequest {
    admission: Admission | null
    /** What the caller showed of itself; null when nothing was asked for. */
    presented: Presented | null
    startedMs: number
    /** The code with which the request was refused, for the log. */
    refusedWith: string | null
    /** Bytes of a streamed body so far; null for an answer that is sent whole. */
    streamedBytes: number | null
  }
}

export interface RestOptions {
  services: Services
  log: Log
  /** Shared with the other doors, because a workspace has one limit for all of them. */
  limits?: RateLimits
  /** What is served; every operation unless told otherwise. */
  catalogue?: readonly Operation[]
  /**
   * False for a process that collects or works only: it answers what the catalogue holds, and has neither pages nor
   * tools.
   */
  hasDoors?: boolean
  /** What happens to an answer that does not fit its schema; service logs, tests throw. */
  misfit?: Door['misfit']
  /** Where requests are counted, and what /metrics shows; without them there is no such route. */
  metrics?: Metrics
  /** From which addresses and ranges /metrics may be read; from none unless told otherwise. */
  operatorAddresses?: readonly string[]
  /** Through whom people may sign in besides; through nobody unless told otherwise. */
  providers?: readonly SignInProvider[]
  /** With what the mail provider signs in to tell of bounces; without one there is no such door. */
  emailHookSecret?: string | null
  /** Reads what an OAuth client says of itself at the address that is its id; without it clients have to register. */
  fetchDocument?: OAuthDoor['fetchDocument']
  /** Addresses and ranges of proxies whose word on a caller's address counts; nobody's unless told otherwise. */
  trustedProxies?: readonly string[]
  /**
   * Whether the interface and its tools are described now instead of when somebody first asks, who would hold up
   * everybody else.
   */
  describeAtOnce?: boolean
}

/** Node gives up on a request that has not arrived whole after this time; bodies that are read have less. */
const REQUEST_MS = 30 * SECOND_MS
const HEAD_MS = 10 * SECOND_MS
/**
 * A reader of a stream who takes nothing for so long is cut off: what has been made for them, and their place, is
 * somebody else's.
 */
const UNREAD_MS = 60 * SECOND_MS
/** Characters of one part of a path. */
const PARAM_LIMIT = 400

/**
 * The HTTP server of the REST interface, its description and the two pages that lead to them. Nothing is bound yet:
 * the caller listens, may add further doors before, and ends it with `closeRestServer`.
 */
export function createRestServer({
  services,
  log,
  limits = createRateLimits(services.clock),
  catalogue = CATALOGUE,
  hasDoors = true,
  misfit = 'log',
  metrics,
  operatorAddresses = [],
  providers = [],
  emailHookSecret = null,
  fetchDocument = null,
  trustedProxies = [],
  describeAtOnce = false,
}: RestOptions): FastifyInstance {
  const { clock, publicUrl } = services
  let document: Record<string, unknown> | undefined
  // Describing every operation takes most of the time of making a server.
  const describe = () => (document ??= openApiDocument(catalogue, publicUrl))
  if (describeAtOnce) describe()
  const door = openDoor({ services, log, limits, misfit, describe })
  const answers = createAnswers({ log, publicUrl })
  const operators = readOperatorAddresses(operatorAddresses)
  const proxies = new ProxyWatch(trustedProxies, log)
  /** Also for requests that the caller broke off, or that reach no hook of the framework. */
  const onceOver = (request: FastifyRequest, reply: FastifyReply) =>
    reply.raw.once('close', () => {
      log.info(lineOf(request, reply, clock), 'request')
      if (metrics !== undefined) countRequest(metrics, request, reply, clock)
    })

  const server = fastify({
    logger: false,
    genReqId: (request) => ownRequestId(request.headers['x-request-id']) ?? newId('req', clock.now()),
    requestTimeout: REQUEST_MS,
    // A request without Host, or with an expectation nobody knows, would be answered by Node without our envelope.
    http: {
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: SECOND_MS,
      maxHeaderSize: HEAD_LIMIT,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // What an invitation link carries is longer than any id.
    routerOptions: { maxParamLength: PARAM_LIMIT },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, clock),
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply, services)
      onceOver(request, reply)
      answers.refuse(request, reply, NO_ROUTE)
    },
  })
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.server.on('connect', (_request, socket: Socket) => answerConnect(socket, clock))
  const methods = noteMethods(server)
  server.decorateRequest('admission', null)
  server.decorateRequest('presented', null)
  server.decorateRequest('startedMs', 0)
  server.decorateRequest('refusedWith', null)
  server.decorateRequest('streamedBytes', null)
  acceptJsonBodies(server, clock)
  knowBrowsers(server, services)

  keepOrigins(server)
  server.addHook('onRequest', async (request, reply) => {
    begin(request, reply, services)
    onceOver(request, reply)
    proxies.see(request)
    return receive({ door, answers, operators, methods }, request, reply)
  })
  server.setNotFoundHandler((request, reply) => answers.refuse(request, reply, NO_ROUTE))
  server.setErrorHandler((error, request, reply) => answers.fail(request, reply, error))
  for (const operation of catalogue) serveOperation(server, door, answers, operation)
  if (hasDoors) {
    serveTools(server, { door, answers, catalogue, publicUrl, describeAtOnce })
    serveAuth(server, { services, log, limits, providers })
    serveInbound(server, { services, log, limits, emailHookSecret })
    serveOAuth(server, { services, log, limits, fetchDocument })
    servePages(server)
  }
  if (metrics !== undefined) serveMetrics(server, metrics)
  // Streams have no end of their own, and closing waits for every answer.
  server.addHook('preClose', async () => door.live.end())
  return server
}

/** Stops accepting, lets requests in flight end for at most `withinMs`, then cuts what is left. */
export async function closeRestServer(server: FastifyInstance, clock: Clock, withinMs: number): Promise<void> {
  const closed = new AbortController()
  const cut = clock.wait(withinMs, closed.signal).then(() => {
    if (!closed.signal.aborted) server.server.closeAllConnections()
  })
  await server.close()
  closed.abort()
  await cut
}

/** What stands on every answer, whatever comes of the request. */
function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { clock, publicUrl }: Pick<Services, 'clock' | 'publicUrl'>,
): void {
  request.startedMs = clock.monotonicMs()
  reply.headers({ ...securityHeaders(publicUrl), 'X-Request-Id': request.id })
  if (isApi(request)) reply.headers({ ...CORS_HEADERS, 'Cache-Control': 'no-store' })
}

interface Receiving {
  door: Door
  answers: Answers
  operators: readonly IpRange[]
  methods: KnownMethods
}

/** Which methods a path takes; nothing for a path that there is not. */
function allowing(methods: KnownMethods, request: FastifyRequest): { Allow?: string } {
  const known = methods.of(request.url.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, ''))
  if (known.length === 0) return {}
  return { Allow: [...new Set([...known, ...(isApi(request) ? ['OPTIONS'] : [])])].sort().join(', ') }
}

/** Decides from the head of a request whether the rest of it is worth reading. */
async function receive(
  { door, answers, operators, methods }: Receiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const wrongHost = hostProblem(request)
  if (wrongHost !== null) return answers.refuse(request, reply, refuseField('Host', wrongHost))
  if (request.method === 'OPTIONS' && isApi(request))
    return reply.code(204).headers(PREFLIGHT_HEADERS).headers(allowing(methods, request)).send()
  if (request.is404) {
    const allowed = allowing(methods, request)
    return answers.refuse(
      request,
      reply.headers(allowed),
      allowed.Allow === undefined ? NO_ROUTE : refuse('method_not_allowed', `This path takes ${allowed.Allow}.`),
    )
  }
  const { operation, operatorsOnly } = request.routeOptions.config
  if (operatorsOnly && !isOperator({ address: request.socket.remoteAddress, headers: request.headers }, operators))
    return answers.refuse(request, reply, NO_ROUTE)
  if (operation === undefined) return undefined
  const presented = needsCredential(operation) ? presentedBy(request) : null
  if (isRefusal(presented)) return answers.refuse(request, reply, presented)
  const admission = await admit(door, operation, presented)
  request.admission = admission
  request.presented = presented
  if (admission.allowance !== null) reply.headers(rateLimitHeaders(admission.allowance))
  if (admission.refusal === null) return undefined
  const noSession = presented?.kind === 'session' && admission.refusal.code === 'unauthorized'
  return answers.refuse(request, reply, noSession ? NO_SESSION : admission.refusal)
}

const HOST = /^[A-Za-z0-9._:[\]-]{1,300}$/

/** Two hosts are refused because what stands before the service may go by the other one. */
function hostProblem({ headers, raw }: FastifyRequest): string | null {
  const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) return 'must be given once'
  if (hosts.length === 0 && raw.httpVersion === '1.1') return 'is required'
  return HOST.test(headers.host ?? 'none') ? null : 'is not a host name'
}

/**
 * Whether the target of a request is of the interface or the tool server; it may be a path or, as proxies send it, a
 * whole address.
 */
function isApi(request: FastifyRequest): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/(?:v1|mcp)(?:[/?#]|$)/.test(request.url)
}

function serveOperation(server: FastifyInstance, door: Door, answers: Answers, operation: Operation): void {
  server.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const { params, query, body } = request
      const answer = await perform(door, operation, request.admission?.caller ?? null, {
        params: params as Record<string, unknown>,
        query: query as Record<string, unknown>,
        body,
        headOnly: request.method === 'HEAD',
        from: request.ip,
        signal: signalOf(reply),
        presented: request.presented,
        lastEventId: headerOf(request, 'last-event-id'),
      })
      if (isRefusal(answer)) return answers.refuse(request, reply, answer)
      if (answer instanceof AlreadyThere) return sendJson(reply.code(operation.again!), answer.answer)
      reply.code(operation.status)
      if (answer instanceof Streamed) {
        reply.type(operation.streams!).headers(answer.headers)
        if (isKnown(request, answer.headers['ETag'])) return reply.code(304).send()
        // Nothing was streamed, so the connection is as good as after any other answer.
        // An empty stream claims no length, which is not known before all is made.
        if (request.method === 'HEAD') return reply.removeHeader('Connection').send(Readable.from([]))
        return reply.send(await begun(answer.chunks, door, request))
      }
      return operation.output === null ? reply.send() : sendJson(reply, answer)
    },
  })
}

/**
 * As bytes, which are made once: a text is gone through to be measured, to be put behind the head, and to be encoded.
 */
function sendJson(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Buffer.from(JSON.stringify(answer)))
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const header = headers[name]
  return typeof header === 'string' ? header : null
}

/** Whether the caller has this version of the answer already (RFC 9110, 13.1.2). */
function isKnown(request: FastifyRequest, tag: string | undefined): boolean {
  const known = headerOf(request, 'if-none-match')
  if (tag === undefined || known === null) return false
  return (
    known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''))
  )
}

/** A stream whose first portion is there: what fails before it is still answered as an error. */
async function begun(
  chunks: AsyncIterable<string>,
  { log, services: { clock } }: Door,
  request: FastifyRequest,
): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all() {
    request.streamedBytes = 0
    try {
      for (let next = first; !next.done; next = await iterator.next()) {
        const bytes = Buffer.from(next.value)
        request.streamedBytes += bytes.length
        const putOff = clock.alarm(UNREAD_MS, () => request.raw.destroy())
        try {
          yield bytes
        } finally {
          putOff()
        }
      }
    } catch (error) {
      if (!isNotWanted(error))
        log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'a streamed answer broke off')
      throw error
    } finally {
      await iterator.return?.()
    }
  }
  return Readable.from(all(), { objectMode: false })
}

type Answers = ReturnType<typeof createAnswers>

function createAnswers({ log, publicUrl }: { log: Log; publicUrl: string }) {
  function send(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
    const { status, headers, body } = answerTo(refusal, request.id)
    request.refusedWith = refusal.code
    if (refusal.code === 'unauthorized')
      reply.header('WWW-Authenticate', challenge(publicUrl, bearerOf(request.headers.authorization) !== null))
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
  }
  return {
    refuse: send,
    fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
      // The framework closes after every body it did not get, which can take the answer back from a client that still
      // sends.
      if (error instanceof Refused && error.hangUp) reply.header('Connection', 'close')
      else reply.removeHeader('Connection')
      return send(
        request,
        reply,
        refusalBehind(error) ??
          failureOf(error, log, { requestId: request.id, method: request.method, route: request.routeOptions.url }),
      )
    },
  }
}

/** What a request is counted as: only values of our own, for its path is the caller's. */
function operationOf(request: FastifyRequest): string {
  const { config, url } = request.routeOptions
  if (request.countedAs) return request.countedAs
  if (config.operation !== undefined) return config.operation.id
  if (request.method === 'OPTIONS' && isApi(request)) return 'preflight'
  if (url === undefined || request.is404 || request.refusedWith === 'not_found') return 'unknown'
  return config.operatorsOnly ? 'metrics' : 'page'
}

function countRequest(metrics: Metrics, request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  const operation = operationOf(request)
  metrics.requests.inc({ operation, status: statusOf(reply) ?? 'none' })
  metrics.requestSeconds.observe({ operation }, (clock.monotonicMs() - request.startedMs) / SECOND_MS)
}

/** One line a request, enough to follow it; never its credential, its query or its body. */
function lineOf(request: FastifyRequest, reply: FastifyReply, clock: Clock): Record<string, unknown> {
  const caller = request.admission?.caller
  return {
    method: request.method,
    operation: operationOf(request),
    route: request.routeOptions.url ?? null,
    status: statusOf(reply),
    ms: Math.round((clock.monotonicMs() - request.startedMs) * 10) / 10,
    bytes: bytesOf(request, reply),
    requestId: request.id,
    ...(caller ? { workspaceId: toId('org', caller.workspaceId), callerId: callerIdOf(caller) } : {}),
    ...(request.refusedWith === null ? {} : { code: request.refusedWith }),
    ...(reply.raw.writableFinished ? {} : { brokenOff: true }),
  }
}

/** Null when the caller was gone before there was an answer. */
function statusOf(reply: FastifyReply): number | null {
  return reply.raw.headersSent ? reply.statusCode : null
}

/** Bytes of the answer's body. */
function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  return request.method === 'HEAD' ? 0 : (request.streamedBytes ?? Number(reply.getHeader('content-length') ?? 0))
}
