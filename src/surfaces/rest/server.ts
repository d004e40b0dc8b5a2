import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../kernel/clock.ts'
import { madeOnce } from '../../kernel/concurrency/made-once.ts'
import { inTurns } from '../../kernel/concurrency/steps.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import type { Operation, Services } from '../../operations/definition.ts'
import { createOperationHost, type OperationHost } from '../../operations/invoke.ts'
import { createRateLimits, type RateLimits } from '../../operations/rate-limit.ts'
import { knowBrowsers } from '../auth/browser.ts'
import type { SignInProvider } from '../auth/providers/provider.ts'
import { serveAuth } from '../auth/serve-auth.ts'
import { serveCells } from '../cells/serve-cells.ts'
import { COMPAT_CATALOGUE } from '../compat/catalogue.ts'
import type { CompatOperation } from '../compat/define.ts'
import { serveCompat } from '../compat/serve-compat.ts'
import { serveGuide } from '../guide/serve-guide.ts'
import { acceptJsonBodies } from '../http/body.ts'
import { ownRequestId } from '../http/headers.ts'
import type { MailReportMetrics } from '../inbound/metrics.ts'
import { serveInbound } from '../inbound/serve-inbound.ts'
import { type MailReportSettings, NO_MAIL_REPORTS } from '../inbound/settings.ts'
import { serveTools } from '../mcp/serve-tools.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { serveOAuth } from '../oauth/serve-oauth.ts'
import { openApiSteps } from '../openapi/document.ts'
import type { WebBundle } from '../web/bundle.ts'
import { DASHBOARD_HOME } from '../web/page-addresses.ts'
import type { FetchPicture } from '../web/pictures/fetch-picture.ts'
import { serveWeb } from '../web/serve-web.ts'
import { Answers } from './answers.ts'
import { closeIdleConnections } from './closing.ts'
import { answerConnect, answerMalformed, HEAD_LIMIT, NO_ROUTE } from './malformed.ts'
import { noteMethods } from './methods.ts'
import { readOperatorAddresses, serveMetrics } from './metrics.ts'
import { keepOrigins } from './origins.ts'
import { servePages } from './pages.ts'
import { ProxyWatch } from './proxy-watch.ts'
import { begin, type Receiving, receive } from './receive.ts'
import { countRequest, lineOf } from './request-log.ts'
import type { ServedMetrics } from './request-metrics.ts'
import { decorateRequests } from './request-state.ts'
import { serveOperation } from './serve-operation.ts'

export interface RestOptions {
  services: Services
  log: Log
  /** Shared with other surfaces, because a workspace has one limit. */
  limits?: RateLimits
  /** Default: every operation. */
  catalogue?: readonly Operation[]
  /** Default: every operation of the compatibility interface. */
  compatCatalogue?: readonly CompatOperation[]
  /** False for a process that only collects or works: no pages and no tools. */
  hasDoors?: boolean
  /** The built dashboard. Default: none, and people begin at their account. */
  web?: WebBundle | null
  /** Default: the dashboard shows no pictures. */
  fetchPicture?: FetchPicture | null
  /** An answer that does not fit its schema: `log` in service, `throw` in tests. */
  misfit?: OperationHost['misfit']
  /** Without it /metrics does not exist. */
  metrics?: ServedMetrics & MailReportMetrics
  /** Default: none. */
  operatorAddresses?: readonly string[]
  providers?: readonly SignInProvider[]
  /** Default: no mail provider reports bounces. */
  mailReports?: MailReportSettings
  /** Without it OAuth clients must register, and Amazon SES cannot be believed. */
  fetchDocument?: OAuthContext['fetchDocument']
  /** Default: none. */
  trustedProxies?: readonly string[]
  /** Default: no door in front asks what this installation has. */
  cellsSecret?: string | null
}

/** For the whole request. Bodies have a shorter limit. */
const REQUEST_MS = 30 * SECOND_MS
const HEAD_MS = 10 * SECOND_MS
/** Characters of a path parameter. */
const PARAM_LIMIT = 400

/** Not listening yet: the caller may add surfaces, listens, and ends it with `closeRestServer`. */
export function createRestServer({
  services,
  log,
  limits = createRateLimits(services),
  catalogue = CATALOGUE,
  compatCatalogue = COMPAT_CATALOGUE,
  hasDoors = true,
  web = null,
  fetchPicture = null,
  misfit = 'log',
  metrics,
  operatorAddresses = [],
  providers = [],
  mailReports = NO_MAIL_REPORTS,
  fetchDocument = null,
  trustedProxies = [],
  cellsSecret = null,
}: RestOptions): FastifyInstance {
  const { publicUrl } = services
  // Between other requests, since the whole takes long.
  const describe = madeOnce(() => inTurns(openApiSteps(catalogue, publicUrl)))
  const host = createOperationHost({ services, log, limits, misfit, describe })
  const answers = new Answers({ log, publicUrl })
  const observed: Observed = { services, log, metrics }
  const server = newServer(observed, answers, trustedProxies)
  const receiving = {
    host,
    answers,
    operators: readOperatorAddresses(operatorAddresses),
    methods: noteMethods(server),
  }
  closeIdleConnections(server)
  decorateRequests(server)
  acceptJsonBodies(server, services.clock)
  knowBrowsers(server, services, web === null ? '/account' : DASHBOARD_HOME)
  receiveRequests(server, receiving, observed, new ProxyWatch(trustedProxies, log))
  for (const operation of catalogue) serveOperation(server, host, answers, operation)
  if (hasDoors) {
    serveTools(server, { host, answers, catalogue, publicUrl })
    serveCompat(server, { host, answers, catalogue: compatCatalogue })
    serveAuth(server, { services, log, limits, providers, hasDashboard: web !== null })
    const mail = { settings: mailReports, fetchDocument: fetchDocument ?? (async () => null), metrics }
    serveInbound(server, { services, log, limits, mail })
    serveOAuth(server, { services, log, limits, fetchDocument })
    servePages(server, { hasLanding: web === null })
    if (web !== null) serveWeb(server, web, fetchPicture)
    serveGuide(server, publicUrl)
    if (cellsSecret !== null) serveCells(server, { services, secret: cellsSecret })
  }
  if (metrics !== undefined) serveMetrics(server, metrics)
  // Streams never end by themselves, and closing waits for every answer.
  server.addHook('preClose', async () => host.live.end())
  return server
}

interface Observed {
  services: Services
  log: Log
  metrics: ServedMetrics | undefined
}

function newServer(observed: Observed, answers: Answers, trustedProxies: readonly string[]): FastifyInstance {
  const { clock } = observed.services
  const server = fastify({
    logger: false,
    genReqId: (request) => ownRequestId(request.headers['x-request-id']) ?? newId('req', clock.now()),
    requestTimeout: REQUEST_MS,
    // Node would refuse a missing Host or an unknown expectation without our envelope.
    http: {
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: SECOND_MS,
      maxHeaderSize: HEAD_LIMIT,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // Invitation tokens are longer than ids.
    routerOptions: { maxParamLength: PARAM_LIMIT },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, clock),
    frameworkErrors: (_error, request, reply) => {
      observe(observed, request, reply)
      answers.refuse(request, reply, NO_ROUTE)
    },
  })
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.server.on('connect', (_request, socket: Socket) => answerConnect(socket, clock))
  return server
}

/** Also logs requests that the caller aborted or no hook saw. */
function observe({ services, log, metrics }: Observed, request: FastifyRequest, reply: FastifyReply): void {
  const { clock } = services
  begin(request, reply, services)
  reply.raw.once('close', () => {
    log.info({ event: 'request.finished', ...lineOf(request, reply, clock) }, 'Request')
    if (metrics !== undefined) countRequest(metrics, request, reply, clock)
  })
}

function receiveRequests(server: FastifyInstance, receiving: Receiving, observed: Observed, proxies: ProxyWatch): void {
  const { answers } = receiving
  keepOrigins(server)
  server.addHook('onRequest', async (request, reply) => {
    observe(observed, request, reply)
    proxies.see(request)
    return receive(receiving, request, reply)
  })
  server.setNotFoundHandler((request, reply) => answers.refuse(request, reply, NO_ROUTE))
  server.setErrorHandler((error, request, reply) => answers.fail(request, reply, error))
}
