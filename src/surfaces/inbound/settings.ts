import { key, listWhere, textLike, textWithout } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'
import { sendgridKey } from './mail/sendgrid.ts'
import { isTopic } from './mail/sns.ts'

/** With what mail providers prove who they are. Null or empty when not set up. */
export interface MailReportSettings {
  secret: string | null
  sesTopics: readonly string[]
  mailgunKey: string | null
  /** Base64 of a DER SubjectPublicKeyInfo. */
  sendgridKey: string | null
}

export const NO_MAIL_REPORTS: MailReportSettings = {
  secret: null,
  sesTopics: [],
  mailgunKey: null,
  sendgridKey: null,
}

const ONLY_AT_ONCE = 'only what the mail server refuses at once is known to bounce'

export const EMAIL_HOOK_SETTINGS = {
  EMAIL_HOOK_SECRET: {
    meaning:
      'Secret with which Postmark, or an adapter, reports bounces and complaints to PUBLIC_URL/hooks/email/postmark ' +
      'or PUBLIC_URL/hooks/email, as a bearer token or password.',
    form: '16 characters or more without blanks',
    fallback: ONLY_AT_ONCE,
    secret: true,
    schema: textLike(/^\S{16,1000}$/, 'must be 16 characters or more without blanks; "openssl rand -hex 32" makes one'),
  },
  SES_TOPIC_ARNS: {
    meaning:
      'Topics of Amazon SNS through which Amazon SES reports bounces and complaints to PUBLIC_URL/hooks/email/ses.',
    form: 'ARNs separated by commas, such as arn:aws:sns:eu-west-1:123456789012:mail',
    fallback: ONLY_AT_ONCE,
    schema: listWhere(isTopic, 'must be ARNs of topics such as arn:aws:sns:eu-west-1:123456789012:mail'),
  },
  MAILGUN_SIGNING_KEY: key(
    'HTTP webhook signing key of Mailgun, which reports bounces and complaints to PUBLIC_URL/hooks/email/mailgun.',
    ONLY_AT_ONCE,
  ),
  SENDGRID_PUBLIC_KEY: {
    meaning:
      'Verification key of the signed event webhook of SendGrid, which reports bounces and complaints to ' +
      'PUBLIC_URL/hooks/email/sendgrid.',
    form: 'base64, as SendGrid shows it',
    fallback: ONLY_AT_ONCE,
    schema: textWithout((text) =>
      sendgridKey(text) === null ? 'must be the verification key that SendGrid shows, on one line' : null,
    ),
  },
} satisfies SettingsTable

export function mailReportSettingsOf(values: ValuesOf<typeof EMAIL_HOOK_SETTINGS>): MailReportSettings {
  return {
    secret: values.EMAIL_HOOK_SECRET ?? null,
    sesTopics: values.SES_TOPIC_ARNS ?? [],
    mailgunKey: values.MAILGUN_SIGNING_KEY ?? null,
    sendgridKey: values.SENDGRID_PUBLIC_KEY ?? null,
  }
}
