import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../kernel/clock.ts'
import { AlreadyThere } from '../../operations/already-there.ts'
import type { Operation } from '../../operations/definition.ts'
import { isNotWanted, type OperationHost, type OperationRequest } from '../../operations/invoke.ts'
import { Streamed } from '../../operations/streamed.ts'
import { signalOf } from './signal.ts'

/** A stalled reader is disconnected after this, which frees its memory and its slot. */
const UNREAD_MS = 60 * SECOND_MS

/** The request as operations take it. */
export function askedOf(request: FastifyRequest, reply: FastifyReply): OperationRequest {
  return {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: request.body,
    headOnly: request.method === 'HEAD',
    from: request.ip,
    signal: signalOf(reply),
    presented: request.presented,
    lastEventId: headerOf(request, 'last-event-id'),
  }
}

/** Sends what an operation answered, which is no refusal. */
export async function sendAnswer(
  answer: unknown,
  host: OperationHost,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (answer instanceof AlreadyThere) return sendJson(reply.code(operation.again!), answer.answer)
  reply.code(operation.status)
  if (answer instanceof Streamed) return stream(answer, host, operation, request, reply)
  return operation.output === null ? reply.send() : sendJson(reply, answer)
}

async function stream(
  { headers, chunks }: Streamed,
  host: OperationHost,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.type(operation.streams!).headers(headers)
  if (isKnown(request, headers['ETag'])) return reply.code(304).send()
  // No body, so the connection stays usable. An empty stream sends no Content-Length, which is unknown.
  if (request.method === 'HEAD') return reply.removeHeader('Connection').send(Readable.from([]))
  return reply.send(await begun(chunks, host, request))
}

/** Encodes once: Fastify would measure, join and encode a string separately. */
function sendJson(reply: FastifyReply, answer: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Buffer.from(JSON.stringify(answer)))
}

function headerOf({ headers }: FastifyRequest, name: string): string | null {
  const header = headers[name]
  return typeof header === 'string' ? header : null
}

/** RFC 9110, section 13.1.2. */
function isKnown(request: FastifyRequest, tag: string | undefined): boolean {
  const known = headerOf(request, 'if-none-match')
  if (tag === undefined || known === null) return false
  return (
    known.trim() === '*' || known.split(',').some((text) => text.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''))
  )
}

/** Awaits the first chunk, so that an error before it still gets an error answer. */
async function begun(chunks: AsyncIterable<string>, host: OperationHost, request: FastifyRequest): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  return Readable.from(bytesOf(first, iterator, host, request), { objectMode: false })
}

async function* bytesOf(
  first: IteratorResult<string>,
  iterator: AsyncIterator<string>,
  { log, services: { clock } }: OperationHost,
  request: FastifyRequest,
): AsyncIterable<Buffer> {
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
      log.error(
        { event: 'request.stream_broken', requestId: request.id, route: request.routeOptions.url, err: error },
        'A streamed answer broke off',
      )
    throw error
  } finally {
    await iterator.return?.()
  }
}
