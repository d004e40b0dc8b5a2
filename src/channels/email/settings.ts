import { canParse } from '../../kernel/can-parse.ts'
import { textLike, textWithout } from '../../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface MailSettings {
  /** Null if the installation sends no mail. */
  mail: { smtpUrl: string; from: string } | null
}

export const MAIL_SETTINGS = {
  SMTP_URL: {
    meaning: 'Mail server for e-mail channels, sign-in links, invitations and password resets.',
    form: 'smtp://user:password@host:587 or smtps://user:password@host:465',
    fallback: 'no mail is sent: people sign in with passwords and pass invitations on themselves',
    secret: true,
    schema: textWithout((text) =>
      /^smtps?:\/\/./.test(text) && canParse(text) && new URL(text).hostname !== ''
        ? null
        : 'must be an address such as smtp://user:password@host:587',
    ),
  },
  MAIL_FROM: {
    meaning: 'The sender of mail.',
    form: 'address, or name and address such as Earshot <earshot@example.com>',
    fallback:
      'Earshot <no-reply@HOST>, with the host of PUBLIC_URL; must be set beside SMTP_URL when that is localhost ' +
      'or an IP address',
    schema: textLike(
      /^[^\r\n<>]{0,100}<[^\s<>@]{1,64}@[^\s<>@]{1,255}>$|^[^\s<>@]{1,64}@[^\s<>@]{1,255}$/,
      'must be an address such as Earshot <earshot@example.com>',
    ),
  },
} satisfies SettingsTable

export function findMailProblems(given: GivenSettings): string[] {
  if (!given.has('SMTP_URL') || given.has('MAIL_FROM')) return []
  return hasMailDomain(given.get('PUBLIC_URL') ?? 'http://localhost')
    ? []
    : ['MAIL_FROM: must be set beside SMTP_URL, because no mail server takes a sender at the host of PUBLIC_URL']
}

export function mailSettingsOf(values: ValuesOf<typeof MAIL_SETTINGS>, publicUrl: string): MailSettings {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from = `Earshot <no-reply@${new URL(publicUrl).hostname}>` } = values
  return { mail: smtpUrl === undefined ? null : { smtpUrl, from } }
}

/** True for an invalid address, which is reported elsewhere. */
function hasMailDomain(origin: string): boolean {
  if (!canParse(origin)) return true
  const { hostname } = new URL(origin)
  return !/^((.+\.)?localhost|[\d.]+|\[.*\])\.?$/.test(hostname)
}
