import { textLike } from '../../kernel/setting-forms.ts'
import type { SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface EmailHookSettings {
  /** Null when not set up. */
  emailHookSecret: string | null
}

export const EMAIL_HOOK_SETTINGS = {
  EMAIL_HOOK_SECRET: {
    meaning:
      'Secret with which the mail provider reports bounces and complaints to PUBLIC_URL/hooks/email, ' +
      'as a bearer token or password.',
    form: '16 characters or more without blanks',
    fallback: 'only what the mail server refuses at once is known to bounce',
    secret: true,
    schema: textLike(/^\S{16,1000}$/, 'must be 16 characters or more without blanks; "openssl rand -hex 32" makes one'),
  },
} satisfies SettingsTable

export function emailHookSettingsOf(values: ValuesOf<typeof EMAIL_HOOK_SETTINGS>): EmailHookSettings {
  return { emailHookSecret: values.EMAIL_HOOK_SECRET ?? null }
}
