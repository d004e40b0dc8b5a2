import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import { Refused } from './envelope.ts'

/** The largest body of a request, in bytes. */
export const BODY_LIMIT = 128 * 1024
/** The time in which a body must have arrived, however steadily it drips. */
export const BODY_MS = 5 * SECOND_MS

/**
 * Bodies are JSON and nothing else. They are read here rather than by the framework, whose limit closes the connection
 * while the client is still sending, so that the client may never see the answer, and which knows no limit in time.
 */
export function acceptJsonBodies(server: FastifyInstance, clock: Clock): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const unreadable = codingProblem(request.headers)
    if (unreadable !== null) return refuseUnread(payload, unreadable)
    const text = await readText(payload, Number(request.headers['content-length'] ?? 0), clock)
    return text === '' ? undefined : parsed(text)
  })
  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => refuseUnread(payload, 'The body must be sent as application/json.'))
}

function refuseUnread(payload: Readable, message: string): never {
  payload.resume()
  throw new Refused(refuse('unsupported_media_type', message))
}

/** What keeps a body from being read as it arrives; null when it is plain UTF-8. */
function codingProblem(headers: IncomingHttpHeaders): string | null {
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  if (codings.some((coding) => coding !== '' && coding !== 'identity')) return 'The body must be sent without a content encoding.'
  const charsets = [...(headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi)].map(([, charset]) => charset!.trim().toLowerCase())
  return charsets.every((charset) => charset === 'utf-8' || charset === 'utf8') ? null : 'The body must be sent in UTF-8.'
}

/** A member named __proto__ becomes an ordinary field here, and is then refused by name as any other unknown field. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(refuseField('body', 'is not valid JSON'))
  }
}

/** The body as text. A body that is too large is refused at once and read on without being kept. */
function readText(payload: Readable, declared: number, clock: Clock): Promise<string> {
  const settled = new AbortController()
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (act: () => void) => {
      if (settled.signal.aborted) return
      settled.abort()
      chunks.length = 0
      act()
    }
    const tooLarge = () => end(() => reject(new Refused(refuse('payload_too_large', `The body may have at most ${BODY_LIMIT / 1024} KiB.`))))

    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_LIMIT) tooLarge()
      else if (!settled.signal.aborted) chunks.push(chunk)
    })
    payload.once('end', () => {
      const whole = Buffer.concat(chunks)
      end(() => (isUtf8(whole) ? resolve(whole.toString('utf8')) : reject(new Refused(refuseField('body', 'is not valid UTF-8')))))
    })
    const goneEarly = () => end(() => reject(new Refused(refuseField('body', 'ended early'), true)))
    payload.once('error', goneEarly)
    payload.once('close', goneEarly)
    void clock
      .wait(BODY_MS, settled.signal)
      .then(() => end(() => reject(new Refused(refuse('request_timeout', `The body took longer than ${BODY_MS / SECOND_MS} seconds.`), true))))
    if (declared > BODY_LIMIT) tooLarge()
  })
}
