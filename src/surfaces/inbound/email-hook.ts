import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Bounced, takeBounces } from '../../commands/channels/email/take-bounces.ts'
import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import type { Services } from '../../commands/writing.ts'
import { isRefusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { actAs } from '../../kernel/origin.ts'
import { RefusedRequest } from '../http/envelope.ts'
import { postmarkBounces } from './mail/postmark.ts'
import { digest, type MailReport, parsed } from './mail/provider.ts'
import { isSignedIn } from './mail/shared-secret.ts'
import { createMailProviders } from './mail-providers.ts'
import type { MailReportMetrics } from './metrics.ts'
import type { MailReportSettings } from './settings.ts'

/** Most events per message. */
const EVENTS_MAX = 1000

/** Our own format, for providers behind an adapter. */
const told = z.object({
  events: z
    .array(z.object({ type: z.string().max(60), email: z.string().max(320), permanent: z.boolean().optional() }))
    .max(EVENTS_MAX),
})

export interface EmailHook {
  services: Services
  log: Log
  settings: MailReportSettings
  fetchDocument: FetchDocument
  metrics: MailReportMetrics | undefined
}

/**
 * Receives bounces and complaints. Hard bounces and complaints end channel mails to the address; account mails
 * continue.
 */
export function serveEmailHook(plugin: FastifyInstance, hook: EmailHook): void {
  const { services, settings, log, fetchDocument } = hook
  const providers = createMailProviders(settings, { clock: services.clock, log, fetchDocument })
  plugin.post('/hooks/email', async (request, reply) => {
    const { secret } = settings
    if (secret === null) throw notSetUp('EMAIL_HOOK_SECRET')
    if (!isSignedIn(request.headers.authorization, secret))
      throw new RefusedRequest(refuse('invalid_signature', 'The secret of the mail provider is missing or wrong.'))
    const bounced = bouncedIn(textOf(request))
    if (bounced === null) throw new RefusedRequest(refuseField('body', 'is not a known message'))
    await take(hook, request, 'other', { bounced, once: null })
    return reply.send({ received: true })
  })
  plugin.post<{ Params: { provider: string } }>('/hooks/email/:provider', async (request, reply) => {
    const { provider: name } = request.params
    const provider = providers.get(name)
    if (provider === undefined)
      throw new RefusedRequest(refuse('not_found', `A mail provider is one of ${[...providers.keys()].join(', ')}.`))
    if (provider.read === null) throw notSetUp(provider.setting)
    const report = await provider.read({ headers: request.headers, body: textOf(request) })
    if (isRefusal(report)) throw new RefusedRequest(report)
    await take(hook, request, name, report)
    return reply.send({ received: true })
  })
}

async function take(
  { services, log, metrics }: EmailHook,
  { id: requestId }: FastifyRequest,
  provider: string,
  { bounced, once }: MailReport,
): Promise<void> {
  actAs({ kind: 'provider', name: 'mail' })
  const message = once && { provider, message: digest(once.id), content: digest(once.content) }
  // Noted even when it tells of nobody, so that its signature serves nothing else.
  const suppressed = bounced.length === 0 && message === null ? 0 : await takeBounces(services, bounced, message)
  if (isRefusal(suppressed)) throw new RefusedRequest(suppressed)
  for (const { reason } of bounced) metrics?.mailReports.inc({ provider, reason })
  log[suppressed === 0 ? 'debug' : 'info'](
    { event: 'email.bounces_received', provider, reported: bounced.length, suppressed, requestId },
    'Bounces received from the mail provider',
  )
}

function notSetUp(setting: string): RefusedRequest {
  return new RefusedRequest(refuse('email_not_configured', `Set ${setting} to receive bounces from the mail provider.`))
}

function textOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : ''
}

/** Null for an unknown format. */
function bouncedIn(body: string): Bounced[] | null {
  const message = parsed(body)
  const own = told.safeParse(message)
  return own.success
    ? own.data.events.flatMap(({ type, email, permanent }) => bouncedOf(type, permanent === true, email))
    : postmarkBounces(message)
}

/** Temporary bounces and unknown types change nothing. */
function bouncedOf(type: string, isPermanent: boolean, email: string): Bounced[] {
  if (type === 'complaint') return [{ email, reason: 'complaint' }]
  return type === 'bounce' && isPermanent ? [{ email, reason: 'bounce' }] : []
}
