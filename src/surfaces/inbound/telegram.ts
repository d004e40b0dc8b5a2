import type { FastifyInstance } from 'fastify'
import { takeUpdate } from '../../commands/channels/telegram/take-update.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { actAs } from '../../kernel/origin.ts'
import type { Services } from '../../operations/definition.ts'
import { RefusedRequest } from '../http/envelope.ts'

/** A request without the shared secret is refused and learns nothing else. */
export function serveTelegram(plugin: FastifyInstance, { services, log }: { services: Services; log: Log }): void {
  plugin.post('/hooks/telegram', async (request, reply) => {
    const { telegram } = services
    if (telegram === null)
      throw new RefusedRequest(refuse('telegram_not_configured', 'Telegram is not set up on this installation'))
    const { 'x-telegram-bot-api-secret-token': secret } = request.headers
    if (typeof secret !== 'string' || !telegram.knows(secret))
      throw new RefusedRequest(refuse('invalid_signature', 'The secret token is wrong.'))
    actAs({ kind: 'provider', name: 'telegram' })
    const became = await takeUpdate(services, telegram, parsed(request.body))
    log[became === 'of no matter' ? 'debug' : 'info'](
      { event: 'telegram.update_received', became, requestId: request.id },
      'Telegram update received',
    )
    return reply.send({ received: true })
  })
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    throw new RefusedRequest(refuseField('body', 'is not valid JSON'))
  }
}
