import type { FastifyInstance } from 'fastify'
import { INSPECTION_PATH, INSPECTIONS } from '../../domain/channel/inspection.ts'
import { refuse } from '../../domain/refusal/refusal.ts'
import type { Services } from '../../operations/definition.ts'
import { RefusedRequest } from '../http/envelope.ts'

const REFUSED = {
  404: () => refuse('not_found', 'There is no inspection inbox at this address.'),
  429: () =>
    refuse('rate_limited', `An inspection inbox takes ${INSPECTIONS.perMinute} requests a minute.`, {
      retryAfterSeconds: 60,
    }),
  503: () => refuse('database_unavailable', 'The request could not be stored. Send the request again.'),
} as const

/** Whatever was sent, the answer repeats nothing of the request. */
export function serveInspections(plugin: FastifyInstance, { channels }: Services): void {
  plugin.post<{ Params: { token: string } }>(`${INSPECTION_PATH}:token`, async (request, reply) => {
    const headers = new Map(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : `${value}`,
      ]),
    )
    const body = Buffer.from(typeof request.body === 'string' ? request.body : '')
    const status = await channels.inspections.take(request.params.token, { headers, body })
    if (status !== 200) throw new RefusedRequest(REFUSED[status]())
    return reply.send({ received: true })
  })
}
