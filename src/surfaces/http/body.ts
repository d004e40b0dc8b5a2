import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { RefusedRequest } from './envelope.ts'

/** Bytes of a request body. */
export const BODY_LIMIT = 128 * 1024
/** Bytes of a form. */
export const FORM_LIMIT = 16 * 1024
/** Bytes of a signed provider message. */
export const SIGNED_LIMIT = 1024 * 1024
/** The whole body must arrive within this, even when it drips. */
export const BODY_MS = 5 * SECOND_MS

/**
 * Accepts only JSON. Fastify's own limit closes the connection before the client may see the answer, and has no time
 * limit.
 */
export function acceptJsonBodies(server: FastifyInstance, clock: Clock): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const text = await readText(request, payload, BODY_LIMIT, clock)
    return text === '' ? undefined : parsed(text)
  })
  server.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) =>
    refuseUnread(payload, 'The body must be sent as application/json.'),
  )
}

export function acceptFormBodies(plugin: FastifyInstance, clock: Clock): void {
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: Readable) =>
      new URLSearchParams(await readText(request, payload, FORM_LIMIT, clock)),
  )
  plugin.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) =>
    refuseUnread(payload, 'The body must be sent as application/x-www-form-urlencoded.'),
  )
}

/** Passes bodies as raw text, because signatures cover it. */
export function acceptSignedBodies(plugin: FastifyInstance, clock: Clock): void {
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    readText(request, payload, SIGNED_LIMIT, clock),
  )
}

function refuseUnread(payload: Readable, message: string): never {
  payload.resume()
  throw new RefusedRequest(refuse('unsupported_media_type', message))
}

/** Null for uncompressed UTF-8. */
function codingProblem(headers: IncomingHttpHeaders): string | null {
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  if (codings.some((coding) => coding !== '' && coding !== 'identity'))
    return 'The body must be sent without a content encoding.'
  const charsets = [...(headers['content-type'] ?? '').matchAll(/;\s*charset\s*=\s*"?([^";]*)/gi)].map(([, charset]) =>
    charset!.trim().toLowerCase(),
  )
  return charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')
    ? null
    : 'The body must be sent in UTF-8.'
}

/** JSON.parse makes `__proto__` an own field, which is then refused as unknown. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedRequest(refuseField('body', 'is not valid JSON'))
  }
}

async function readText({ headers }: FastifyRequest, payload: Readable, limit: number, clock: Clock): Promise<string> {
  const unreadable = codingProblem(headers)
  if (unreadable !== null) return refuseUnread(payload, unreadable)
  const whole = await readBytes(payload, { declared: Number(headers['content-length'] ?? 0), limit, clock })
  if (!isUtf8(whole)) throw new RefusedRequest(refuseField('body', 'is not valid UTF-8'))
  return whole.toString('utf8')
}

/** An oversized body is refused at once, and the rest is read and dropped. Throws RefusedRequest. */
export async function readBytes(
  payload: Readable,
  { declared, limit, clock }: { declared: number; limit: number; clock: Clock },
): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let settled = false
    const end = (act: () => void) => {
      if (settled) return
      settled = true
      putOff()
      chunks.length = 0
      act()
    }
    const tooLarge = () =>
      end(() =>
        reject(new RefusedRequest(refuse('payload_too_large', `The body may have at most ${limit / 1024} KiB.`))),
      )
    const tooLate = () =>
      end(() =>
        reject(
          new RefusedRequest(
            refuse('request_timeout', `The body took longer than ${BODY_MS / SECOND_MS} seconds.`),
            true,
          ),
        ),
      )
    // On the path of every body, so a timer that does not fire must cost nothing.
    const putOff = clock.alarm(BODY_MS, tooLate)

    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) tooLarge()
      else if (!settled) chunks.push(chunk)
    })
    payload.once('end', () => {
      const whole = Buffer.concat(chunks)
      end(() => resolve(whole))
    })
    const goneEarly = () => end(() => reject(new RefusedRequest(refuseField('body', 'ended early'), true)))
    payload.once('error', goneEarly)
    payload.once('close', goneEarly)
    if (declared > limit) tooLarge()
  })
}
