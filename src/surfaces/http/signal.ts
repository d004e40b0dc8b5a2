import type { FastifyReply } from 'fastify'

/** Aborted when the caller breaks the connection off before the answer is sent. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone.signal
}
