import { z } from 'zod'
import type { Bounced } from '../../../commands/channels/email/take-bounces.ts'
import type { FetchDocument } from '../../../commands/oauth/know-client.ts'
import { type Refusal, refuse, refuseField } from '../../../domain/refusal/refusal.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { isCurrent, type MailReport, parsed, type ReadReport } from './provider.ts'
import { createSnsKeys, isConfirmation, isSignedBySns, type SnsMessage, snsMessage } from './sns.ts'

const address = z.object({ emailAddress: z.string().max(320) })
/** SES lists at most 50 recipients of a mail; ours have one each. */
const addresses = z.array(address).max(50)

/** `eventType` where a configuration set publishes, `notificationType` where an identity does. */
const notification = z.object({
  notificationType: z.string().max(60).optional(),
  eventType: z.string().max(60).optional(),
  bounce: z.object({ bounceType: z.string().max(60), bouncedRecipients: addresses }).optional(),
  complaint: z
    .object({ complainedRecipients: addresses, complaintFeedbackType: z.string().max(100).nullish() })
    .optional(),
})

export interface SesOptions {
  /** ARNs of the topics whose messages are taken. */
  topics: readonly string[]
  /** Gets certificates and confirms subscriptions. */
  fetchDocument: FetchDocument
  clock: Clock
  log: Log
}

/** Amazon SES tells through a topic of Amazon SNS, which signs each message. */
export function createSes({ topics, fetchDocument, clock, log }: SesOptions): ReadReport {
  const keyAt = createSnsKeys(fetchDocument)
  return async ({ body }) => {
    const read = snsMessage.safeParse(parsed(body))
    if (!read.success) return refuseField('body', 'is no message of Amazon SNS')
    const message = read.data
    if (!topics.includes(message.TopicArn))
      return refuse('invalid_signature', 'SES_TOPIC_ARNS does not name the topic of this message.')
    const key = await keyAt(message)
    if (key === 'unavailable') return refuse('upstream_unavailable', 'The certificate of Amazon SNS cannot be read.')
    if (key === null || !isSignedBySns(message, key) || !isCurrent(new Date(message.Timestamp), clock.now()))
      return refuse('invalid_signature', 'The signature of Amazon SNS is wrong or too old.')
    if (message.Type === 'SubscriptionConfirmation') return confirm(message, fetchDocument, log)
    const bounced = message.Type === 'Notification' ? bouncedIn(message.Message) : []
    return { bounced, once: { id: message.MessageId, content: message.MessageId } }
  }
}

async function confirm(
  message: SnsMessage,
  fetchDocument: FetchDocument,
  log: Log,
): Promise<MailReport | Refusal<'validation_error' | 'upstream_unavailable'>> {
  const { SubscribeURL: url = '', TopicArn: topic } = message
  if (!isConfirmation(url, topic)) return refuseField('SubscribeURL', 'does not confirm a subscription to the topic')
  const answer = await fetchDocument(url)
  if (answer?.status !== 200) return refuse('upstream_unavailable', 'Amazon SNS did not confirm the subscription.')
  log.info({ event: 'email.topic_confirmed', topic }, 'Subscription to a topic of Amazon SNS confirmed')
  return { bounced: [], once: null }
}

/** SES also publishes a line of text when a topic is chosen; it tells nothing. */
function bouncedIn(text: string): Bounced[] {
  const read = notification.safeParse(parsed(text))
  if (!read.success) return []
  const { notificationType, eventType = notificationType, bounce, complaint } = read.data
  const as = (reason: Bounced['reason'], recipients: z.output<typeof addresses>) =>
    recipients.map(({ emailAddress: email }) => ({ email, reason }))
  if (eventType === 'Bounce' && bounce?.bounceType === 'Permanent') return as('bounce', bounce.bouncedRecipients)
  // "not-spam" is a report that a mail is none.
  if (eventType === 'Complaint' && complaint !== undefined && complaint.complaintFeedbackType !== 'not-spam')
    return as('complaint', complaint.complainedRecipients)
  return []
}
