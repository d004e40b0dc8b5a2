import type { FetchDocument } from '../../commands/oauth/know-client.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createMailgun } from './mail/mailgun.ts'
import { createPostmark } from './mail/postmark.ts'
import type { ReadReport } from './mail/provider.ts'
import { createSendgrid } from './mail/sendgrid.ts'
import { createSes } from './mail/ses.ts'
import type { MailReportSettings } from './settings.ts'

export interface MailProvider {
  /** Its setting. */
  setting: string
  /** Null when not set up. */
  read: ReadReport | null
}

export function createMailProviders(
  { secret, sesTopics, mailgunKey, sendgridKey }: MailReportSettings,
  { clock, log, fetchDocument }: { clock: Clock; log: Log; fetchDocument: FetchDocument },
): ReadonlyMap<string, MailProvider> {
  const topics = sesTopics.length === 0 ? null : sesTopics
  return new Map<string, MailProvider>([
    ['ses', { setting: 'SES_TOPIC_ARNS', read: topics && createSes({ topics, fetchDocument, clock, log }) }],
    [
      'mailgun',
      { setting: 'MAILGUN_SIGNING_KEY', read: mailgunKey === null ? null : createMailgun(mailgunKey, clock) },
    ],
    ['postmark', { setting: 'EMAIL_HOOK_SECRET', read: secret === null ? null : createPostmark(secret) }],
    [
      'sendgrid',
      { setting: 'SENDGRID_PUBLIC_KEY', read: sendgridKey === null ? null : createSendgrid(sendgridKey, clock) },
    ],
  ])
}
