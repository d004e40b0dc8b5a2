import type { FastifyInstance } from 'fastify'
import { takeMessage } from '../../commands/payments/take-message.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { actAs } from '../../kernel/origin.ts'
import type { Services } from '../../operations/definition.ts'
import type { RateLimits } from '../../operations/rate-limit.ts'
import { acceptSignedBodies } from '../http/body.ts'
import { RefusedRequest } from '../http/envelope.ts'
import { type EmailHook, serveEmailHook } from './email-hook.ts'
import { serveEmailPages } from './email-pages.ts'
import { serveInspections } from './inspections.ts'
import { limitRefused } from './limit-refused.ts'
import { serveSlackHooks, serveSlackReturn } from './slack.ts'
import { serveTelegram } from './telegram.ts'

export type MailReporting = Omit<EmailHook, 'services' | 'log'>

/**
 * A message gets 200 only when all of it is stored; otherwise the provider repeats it. Only the signature
 * authenticates.
 */
export function serveInbound(
  server: FastifyInstance,
  { services, log, limits, mail }: { services: Services; log: Log; limits: RateLimits; mail: MailReporting },
): void {
  void server.register(async (plugin) => {
    limitRefused(plugin, limits)
    acceptSignedBodies(plugin, services.clock)
    serveEmailHook(plugin, { services, log, ...mail })
    serveSlackHooks(plugin, { services, log })
    serveTelegram(plugin, { services, log })
    serveInspections(plugin, services)
    plugin.post('/hooks/stripe', async (request, reply) => {
      actAs({ kind: 'provider', name: 'stripe' })
      const { 'stripe-signature': signature } = request.headers
      const outcome = await takeMessage(
        services,
        typeof request.body === 'string' ? request.body : '',
        typeof signature === 'string' ? signature : undefined,
      )
      if (isRefusal(outcome)) throw new RefusedRequest(outcome)
      log[outcome.became === 'of no matter' ? 'debug' : 'info'](
        { event: 'payment.event_received', ...outcome, requestId: request.id },
        'Payment event received',
      )
      return reply.send({ received: true })
    })
  })
  serveEmailPages(server, { services, log })
  serveSlackReturn(server, { services, log })
}
