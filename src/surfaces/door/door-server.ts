import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type IpRange, parseIpRange } from '../../kernel/ip-range.ts'
import type { Log } from '../../kernel/log.ts'
import { onRead, renderMetrics } from '../../kernel/metrics.ts'
import { VERSION } from '../../kernel/version.ts'
import { prefersJson } from '../auth/mount-pages.ts'
import { DOOR_HEADER } from '../cells/signature.ts'
import { isCompatPath } from '../compat/paths.ts'
import { RefusedRequest } from '../http/envelope.ts'
import { ownRequestId } from '../http/headers.ts'
import { answerConnect, answerMalformed, HEAD_LIMIT, NO_ROUTE } from '../rest/malformed.ts'
import { isOperator } from '../rest/metrics.ts'
import { hostProblem } from '../rest/receive.ts'
import { CellLost } from './cell.ts'
import { Door, type DoorParts } from './door.ts'
import { type Head, readHead } from './head.ts'
import { type Asker, sendOwn, sendRefusal } from './own-answer.ts'

const REQUEST_MS = 30 * SECOND_MS
const HEAD_MS = 10 * SECOND_MS
/** Longer than load balancers keep an idle connection, so that they close it and not the door. */
const IDLE_MS = 72 * SECOND_MS

export interface DoorOptions extends DoorParts {
  operators: readonly IpRange[]
  trustedProxies: readonly string[]
}

/** Not listening yet. */
export function createDoorServer(options: DoorOptions): Server {
  const { clock, cells, metrics } = options
  const trusted = options.trustedProxies.flatMap((entry) => [parseIpRange(entry)].filter((range) => range !== null))
  const door = new Door(options)
  onRead(metrics, () => {
    for (const { name, isUp } of cells) metrics.doorCellUp.set({ cell: name }, isUp ? 1 : 0)
  })
  const serve = (request: IncomingMessage, response: ServerResponse) =>
    void answer({ ...options, door, trustedRanges: trusted }, request, response)
  const server = createServer(
    {
      maxHeaderSize: HEAD_LIMIT,
      requestTimeout: REQUEST_MS,
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: SECOND_MS,
      keepAliveTimeout: IDLE_MS,
      requireHostHeader: false,
    },
    serve,
  )
  server.on('checkExpectation', serve)
  server.on('connect', (_request, socket: Socket) => answerConnect(socket, clock))
  server.on('clientError', (error, socket) => answerMalformed(error, socket as Socket, clock))
  return server
}

interface Serving extends DoorOptions {
  door: Door
  trustedRanges: readonly IpRange[]
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { clock, metrics, publicUrl, door, trustedRanges } = serving
  const requestId = ownRequestId(request.headers['x-request-id']) ?? newId('req', clock.now())
  const head = readHead(request, trustedRanges)
  const asker: Asker = {
    ...{ requestId, publicUrl },
    isHead: request.method === 'HEAD',
    wantsPage: head !== null && wantsPage(head),
    isCompat: head !== null && isCompatPath(head.path),
  }
  try {
    const wrongHost = hostProblem(request)
    if (wrongHost !== null) throw new RefusedRequest(refuseField('Host', wrongHost))
    if (head === null || INTERNAL.test(head.path)) throw new RefusedRequest(NO_ROUTE)
    if (request.headers[DOOR_HEADER] !== undefined)
      throw new RefusedRequest(refuseField(DOOR_HEADER, 'must not be sent; only a door sends this header'))
    if (await answerOwn(serving, request, { head, response, asker })) {
      metrics.doorRequests.inc({ cell: 'door', status: response.statusCode })
      return
    }
    await door.receive(request, response, head, requestId)
  } catch (error) {
    // The caller is gone, or sees that the answer breaks off.
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    const refusal = refusalFor(error, serving.log, requestId)
    metrics.doorRequests.inc({ cell: error instanceof CellLost ? error.cell.name : 'door', status: refusal.status })
    if (error instanceof RefusedRequest && error.hangUp) response.setHeader('Connection', 'close')
    sendRefusal(response, refusal, asker)
    // An unread body would be taken for the next request.
    request.resume()
  }
}

/** Cells have these addresses for the door alone. */
const INTERNAL = /^\/+internal(?:\/|$)/i
const PROGRAMS = /^\/(?:v1|mcp|compat|hooks|inspect|\.well-known|session)(?:\/|$)|^\/oauth\/(?:token|register|revoke)$/

function wantsPage({ path, headers }: Head): boolean {
  return !PROGRAMS.test(path) && !prefersJson(headers.accept)
}

function refusalFor(error: unknown, log: Log, requestId: string): Refusal {
  if (error instanceof RefusedRequest) return error.refusal
  if (error instanceof CellLost) {
    log.warn(
      { event: 'door.cell_lost', cell: error.cell.name, err: error.cause, requestId },
      'A cell did not answer a request; the caller was asked to try again',
    )
    return refuse(
      'cell_unavailable',
      'The part of this installation that has your workspace cannot be reached. Try again in a moment.',
    )
  }
  log.error({ event: 'door.request_failed', err: error, requestId }, 'The door failed to pass on a request')
  return refuse('internal_error', 'Something went wrong. Try again.')
}

/** The state and the figures of the door itself. False for every other address. */
async function answerOwn(
  { cells, metrics, operators }: Serving,
  request: IncomingMessage,
  { head: { path, method }, response, asker }: { head: Head; response: ServerResponse; asker: Asker },
): Promise<boolean> {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/v1/health') {
    sendOwn(response, { status: 200, content: JSON.stringify({ status: 'ok', version: VERSION }), asker })
    return true
  }
  if (path !== '/health' && path !== '/metrics') return false
  const isOperators = isOperator({ address: request.socket.remoteAddress, headers: request.headers }, operators)
  if (path === '/health') {
    sendHealth(response, { cells, isOperators, asker })
    return true
  }
  if (!isOperators) throw new RefusedRequest(NO_ROUTE)
  const headers = { 'Content-Type': metrics.registry.contentType }
  sendOwn(response, { status: 200, headers, content: await renderMetrics(metrics), asker })
  return true
}

/** 503 when no cell is up. Operators also see which cells are down. */
function sendHealth(
  response: ServerResponse,
  { cells, isOperators, asker }: { cells: DoorParts['cells']; isOperators: boolean; asker: Asker },
): void {
  const up = cells.filter(({ isUp }) => isUp).length
  const worse = up === 0 ? 'down' : 'degraded'
  const state = up === cells.length ? 'ok' : worse
  const shown = cells.map(({ name, isUp, known }) => ({ name, up: isUp, version: known?.version ?? null }))
  const content = JSON.stringify({ status: state, version: VERSION, ...(isOperators ? { cells: shown } : {}) })
  sendOwn(response, { status: up === 0 ? 503 : 200, content, asker })
}

/** Waits for open requests at most `withinMs`, then cuts them; streams never end by themselves. */
export async function closeDoorServer(server: Server, clock: Clock, withinMs: number): Promise<void> {
  const closed = new AbortController()
  const cut = clock.wait(withinMs, closed.signal).then(() => {
    if (!closed.signal.aborted) server.closeAllConnections()
  })
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  closed.abort()
  await cut
}
