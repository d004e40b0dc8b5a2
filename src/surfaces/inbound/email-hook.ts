import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Bounced, takeBounces } from '../../commands/channels/email/take-bounces.ts'
import type { Services } from '../../commands/writing.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { Refused } from '../http/envelope.ts'

/** The most that one message may tell of. */
const EVENTS_MAX = 1000

/** Our own form, for providers whose messages somebody brings into it. */
const told = z.object({
  events: z
    .array(z.object({ type: z.string().max(60), email: z.string().max(320), permanent: z.boolean().optional() }))
    .max(EVENTS_MAX),
})
/** What Postmark posts, one message an event; of the rest of its fields nothing is relied on. */
const postmark = z.object({
  RecordType: z.string().max(60),
  Type: z.string().max(60).optional(),
  Email: z.string().max(320).optional(),
  Inactive: z.boolean().optional(),
})

/**
 * Where the mail provider tells of bounces and complaints. It signs in with the secret of the installation, as a bearer
 * token or as the password of an address. An address that bounced for good, and one whose reader complained, gets no
 * mail through channels any more; mails about accounts go on.
 */
export function serveEmailHook(
  plugin: FastifyInstance,
  { services, log, secret }: { services: Services; log: Log; secret: string | null },
): void {
  plugin.post('/hooks/email', async (request, reply) => {
    if (secret === null)
      throw new Refused(
        refuse('email_not_configured', 'Set EMAIL_HOOK_SECRET to receive bounces from the mail provider.'),
      )
    if (!isSignedIn(request.headers.authorization, secret))
      throw new Refused(refuse('invalid_signature', 'The secret of the mail provider is missing or wrong.'))
    const bounced = bouncedIn(typeof request.body === 'string' ? request.body : '')
    if (bounced === null) throw new Refused(refuseField('body', 'is not a known message'))
    const suppressed = bounced.length === 0 ? 0 : await takeBounces(services, bounced)
    log[suppressed === 0 ? 'debug' : 'info'](
      { event: 'email.bounces_received', reported: bounced.length, suppressed, requestId: request.id },
      'Bounces received from the mail provider',
    )
    return reply.send({ received: true })
  })
}

/** Compared by hashes, so that the time it takes tells nothing of the secret, not even its length. */
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

/** The addresses that are not to be written to any more; null for what is neither of the known forms. */
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

/** A bounce that may pass changes nothing, nor does what has other names. */
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
