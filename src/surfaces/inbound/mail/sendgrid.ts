import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import type { Bounced } from '../../../commands/channels/email/take-bounces.ts'
import { refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isCurrent, parsed, type ReadReport, timeOfSeconds } from './provider.ts'

const EVENTS_MAX = 10_000

const eventSchema = z.object({
  event: z.string().max(60),
  email: z.string().max(320),
  type: z.string().max(60).optional(),
  reason: z.string().optional(),
})

/** Senders add fields of their own to their events, so one that cannot be read must not cost the others. */
const events = z.array(z.unknown()).max(EVENTS_MAX)

/** Null for what is no public key of SendGrid: base64 of a DER SubjectPublicKeyInfo on the curve P-256. */
export function sendgridKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

export function createSendgrid(publicKey: string, clock: Clock): ReadReport {
  const key = sendgridKey(publicKey)
  if (key === null) throw new RangeError('the public key of SendGrid cannot be read')
  return async ({ headers, body }) => {
    const signature = one(headers['x-twilio-email-event-webhook-signature'])
    const timestamp = one(headers['x-twilio-email-event-webhook-timestamp'])
    const sentAt = timeOfSeconds(timestamp)
    const signed = `${timestamp}${body}`
    const isSigned = verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64'))
    if (!isSigned || sentAt === null || !isCurrent(sentAt, clock.now()))
      return refuse('invalid_signature', 'The signature of SendGrid is missing, wrong or too old.')
    const read = events.safeParse(parsed(body))
    if (!read.success) return refuseField('body', 'is no list of events of SendGrid')
    return { bounced: read.data.flatMap(bouncedIn), once: { id: signed, content: signed } }
  }
}

/** What SendGrid did not even try, because of what the address did before. */
const DROPPED: Readonly<Record<string, Bounced['reason']>> = {
  'Bounced Address': 'bounce',
  Invalid: 'bounce',
  'Spam Reporting Address': 'complaint',
}

/** A bounce of the type `blocked` is refused for now, or because of the mail: the mailbox may exist. */
function bouncedIn(told: unknown): Bounced[] {
  const read = eventSchema.safeParse(told)
  if (!read.success) return []
  const { event, email, type, reason } = read.data
  if (event === 'spamreport') return [{ email, reason: 'complaint' }]
  if (event === 'bounce') return type === 'bounce' ? [{ email, reason: 'bounce' }] : []
  const dropped = event === 'dropped' && Object.hasOwn(DROPPED, reason ?? '') ? DROPPED[reason!] : undefined
  return dropped === undefined ? [] : [{ email, reason: dropped }]
}

function one(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}
