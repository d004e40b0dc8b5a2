import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Bounced, takeBounces } from '../../commands/channels/email/take-bounces.ts'
import type { Services } from '../../commands/writing.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { RefusedRequest } from '../http/envelope.ts'

/** Most events per message. */
const EVENTS_MAX = 1000

/** Our own format, for providers behind an adapter. */
const told = z.object({
  events: z
    .array(z.object({ type: z.string().max(60), email: z.string().max(320), permanent: z.boolean().optional() }))
    .max(EVENTS_MAX),
})
/** Postmark's format, one event per message. No other field is used. */
const postmark = z.object({
  RecordType: z.string().max(60),
  Type: z.string().max(60).optional(),
  Email: z.string().max(320).optional(),
  Inactive: z.boolean().optional(),
})

/**
 * Receives bounces and complaints, authenticated by the installation's secret as bearer token or password. Hard bounces
 * and complaints end channel mails to the address; account mails continue.
 */
export function serveEmailHook(
  plugin: FastifyInstance,
  { services, log, secret }: { services: Services; log: Log; secret: string | null },
): void {
  plugin.post('/hooks/email', async (request, reply) => {
    if (secret === null)
      throw new RefusedRequest(
        refuse('email_not_configured', 'Set EMAIL_HOOK_SECRET to receive bounces from the mail provider.'),
      )
    if (!isSignedIn(request.headers.authorization, secret))
      throw new RefusedRequest(refuse('invalid_signature', 'The secret of the mail provider is missing or wrong.'))
    const bounced = bouncedIn(typeof request.body === 'string' ? request.body : '')
    if (bounced === null) throw new RefusedRequest(refuseField('body', 'is not a known message'))
    const suppressed = bounced.length === 0 ? 0 : await takeBounces(services, bounced)
    log[suppressed === 0 ? 'debug' : 'info'](
      { event: 'email.bounces_received', reported: bounced.length, suppressed, requestId: request.id },
      'Bounces received from the mail provider',
    )
    return reply.send({ received: true })
  })
}

/** Compares hashes in constant time, which reveals nothing of the secret or its length. */
function isSignedIn(authorization: string | undefined, secret: string): boolean {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization ?? '') ?? []
  const given = scheme.toLowerCase() === 'basic' ? passwordIn(value) : value
  return timingSafeEqual(digest(given), digest(secret))
}

function passwordIn(basic: string): string {
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Null for an unknown format. */
function bouncedIn(body: string): Bounced[] | null {
  const message = parsed(body)
  const own = told.safeParse(message)
  if (own.success)
    return own.data.events.flatMap(({ type, email, permanent }) => bouncedOf(type, permanent === true, email))
  const theirs = postmark.safeParse(message)
  if (!theirs.success) return null
  const { RecordType: record, Type: type, Email: email, Inactive: isInactive } = theirs.data
  if (email === undefined) return []
  if (record === 'SpamComplaint') return bouncedOf('complaint', true, email)
  return record === 'Bounce'
    ? bouncedOf('bounce', type === 'HardBounce' || type === 'BadEmailAddress' || isInactive === true, email)
    : []
}

/** Temporary bounces and unknown types change nothing. */
function bouncedOf(type: string, isPermanent: boolean, email: string): Bounced[] {
  if (type === 'complaint') return [{ email, reason: 'complaint' }]
  return type === 'bounce' && isPermanent ? [{ email, reason: 'bounce' }] : []
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
