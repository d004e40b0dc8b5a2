import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Bounced } from '../../../commands/channels/email/take-bounces.ts'
import { refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isCurrent, isSame, parsed, type ReadReport, timeOfSeconds } from './provider.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)

const message = z.object({
  signature: z.object({
    timestamp: z.union([z.string().max(20), z.int()]).transform(String),
    token: z.string().min(1).max(100),
    signature: hex,
    /** By the key of the account, for an event of one of its subaccounts. */
    'parent-signature': hex.optional(),
  }),
  'event-data': z.object({
    event: z.string().max(60),
    severity: z.string().max(60).optional(),
    reason: z.string().max(100).nullish(),
    recipient: z.string().max(320).optional(),
  }),
})

type Event = z.output<typeof message>['event-data']

/** The signature covers time and token but not the event: the first event that comes with a token is its only one. */
export function createMailgun(signingKey: string, clock: Clock): ReadReport {
  return async ({ body }) => {
    const read = message.safeParse(parsed(body))
    if (!read.success) return refuseField('body', 'is no event of Mailgun')
    const { timestamp, token, signature, 'parent-signature': parent } = read.data.signature
    const expected = createHmac('sha256', signingKey).update(timestamp).update(token).digest('hex')
    const isSigned = [isSame(signature, expected), isSame(parent ?? '', expected)].includes(true)
    const sentAt = timeOfSeconds(timestamp)
    if (!isSigned || sentAt === null || !isCurrent(sentAt, clock.now()))
      return refuse('invalid_signature', 'The signature of Mailgun is wrong or too old.')
    return { bounced: bouncedIn(read.data['event-data']), once: { id: `${timestamp} ${token}`, content: body } }
  }
}

/** Failures for good that say nothing of the mailbox: refused by its provider, unsubscribed, or tried for too long. */
const NOT_OF_MAILBOX = new Set(['espblock', 'suppress-unsubscribe', 'old'])

function bouncedIn({ event, severity, reason, recipient: email }: Event): Bounced[] {
  if (email === undefined) return []
  if (event === 'complained' || reason === 'suppress-complaint') return [{ email, reason: 'complaint' }]
  const isHard = event === 'failed' && severity === 'permanent' && !NOT_OF_MAILBOX.has(reason ?? '')
  return isHard ? [{ email, reason: 'bounce' }] : []
}
