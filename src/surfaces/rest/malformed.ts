import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { answerTo } from '../http/envelope.ts'
import { CORS_HEADERS, SECURITY_HEADERS } from '../http/headers.ts'

/** Bytes of a request's head. */
export const HEAD_LIMIT = 16 * 1024
const GOODBYE_MS = SECOND_MS

export const NO_ROUTE = refuse('not_found', 'This route does not exist.')

type ParseError = NodeJS.ErrnoException & { rawPacket?: unknown }

/** Answers invalid HTTP and heads that are too slow or too large, for which Node sends no body and calls no handler. */
export function answerMalformed(error: ParseError, socket: Socket, clock: Clock): void {
  const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy()
    return
  }
  answerRaw(refusalFor(error), socket, clock)
}

/** Node would close the connection without an answer. */
export function answerConnect(socket: Socket, clock: Clock): void {
  // Node has detached the socket, so an unhandled error on it would end the process.
  socket.on('error', () => socket.destroy())
  answerRaw(NO_ROUTE, socket, clock)
}

function answerRaw(refusal: Refusal, socket: Socket, clock: Clock): void {
  const answer = answerTo(refusal, newId('req', clock.now()))
  const body = JSON.stringify(answer.body)
  const headers = {
    ...SECURITY_HEADERS,
    // The route is not always known, and a refusal reveals nothing.
    ...CORS_HEADERS,
    'Cache-Control': 'no-store',
    ...answer.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': answer.body.error.requestId,
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${answer.status} ${REASONS.get(answer.status)}\r\n${head.join('')}\r\n${body}`)
  // Drains input for a moment, since closing with unread bytes can lose the answer.
  socket.resume()
  void clock.wait(GOODBYE_MS).then(() => socket.destroy())
}

const REASONS = new Map([
  [400, 'Bad Request'],
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [431, 'Request Header Fields Too Large'],
])

function refusalFor({ code, rawPacket }: ParseError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refuse(
      'headers_too_large',
      `${tooLarge(Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0))} may have at most ` +
        `${HEAD_LIMIT / 1024} KiB.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('request_timeout', 'The request arrived too slowly.')
  return refuseField('request', 'is not valid HTTP')
}

/** Judged by the last chunk of the head. */
function tooLarge(portion: Buffer): string {
  const whole = 'The head of the request'
  if (!/^[A-Z]+ /.test(portion.toString('latin1', 0, 20))) return whole
  const line = portion.indexOf('\r\n')
  const address = line === -1 ? portion.length : line
  if (address > HEAD_LIMIT) return 'The address of the request'
  const end = portion.indexOf('\r\n\r\n')
  return (end === -1 ? portion.length : end) - address > HEAD_LIMIT ? 'The headers of the request' : whole
}
