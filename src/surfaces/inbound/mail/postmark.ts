import { z } from 'zod'
import type { Bounced } from '../../../commands/channels/email/take-bounces.ts'
import { refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import { parsed, type ReadReport } from './provider.ts'
import { isSignedIn } from './shared-secret.ts'

/** One event per message. No other field is used. */
const event = z.object({
  RecordType: z.string().max(60),
  Type: z.string().max(60).optional(),
  Email: z.string().max(320).optional(),
  Inactive: z.boolean().optional(),
})

/** Postmark signs nothing: it signs in with the secret, over TLS. */
export function createPostmark(secret: string): ReadReport {
  return async ({ headers, body }) => {
    if (!isSignedIn(headers.authorization, secret))
      return refuse('invalid_signature', 'The secret of the mail provider is missing or wrong.')
    const bounced = postmarkBounces(parsed(body))
    return bounced === null ? refuseField('body', 'is no event of Postmark') : { bounced, once: null }
  }
}

/** Null for what is no event of Postmark. */
export function postmarkBounces(message: unknown): Bounced[] | null {
  const read = event.safeParse(message)
  if (!read.success) return null
  const { RecordType: record, Type: type, Email: email, Inactive: isInactive } = read.data
  if (email === undefined) return []
  if (record === 'SpamComplaint') return [{ email, reason: 'complaint' }]
  const isHard = type === 'HardBounce' || type === 'BadEmailAddress' || isInactive === true
  return record === 'Bounce' && isHard ? [{ email, reason: 'bounce' }] : []
}
