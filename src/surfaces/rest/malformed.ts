import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { type Refusal, refuse, refuseField } from '../../kernel/refusal.ts'
import { answerTo } from './envelope.ts'
import { SECURITY_HEADERS } from './headers.ts'

/** The largest head of a request, in bytes. */
export const HEAD_LIMIT = 16 * 1024
const GOODBYE_MS = SECOND_MS

/**
 * Answers what is not HTTP, or too slow or too large a head, for which Node itself would send an answer without body
 * and there is no request that a handler could see.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket, clock: Clock): void {
  const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy()
    return
  }
  const answer = answerTo(refusalFor(error.code), newId('req', clock.now()))
  const body = JSON.stringify(answer.body)
  const headers = {
    ...SECURITY_HEADERS,
    ...answer.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': answer.body.error.requestId,
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${answer.status} ${REASONS.get(answer.status)}\r\n${head.join('')}\r\n${body}`)
  // What still arrives is read and dropped for a moment: closing over unread bytes can take the answer back.
  socket.resume()
  void clock.wait(GOODBYE_MS).then(() => socket.destroy())
}

const REASONS = new Map([
  [400, 'Bad Request'],
  [408, 'Request Timeout'],
  [431, 'Request Header Fields Too Large'],
])

function refusalFor(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('validation_error', `headers: must have at most ${HEAD_LIMIT / 1024} KiB together`, { status: 431 })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('request_timeout', 'The request took too long to arrive.')
  return refuseField('request', 'is not valid HTTP')
}
