import { oneOf } from '../../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface SignUpSettings {
  signUp: 'open' | 'invited'
}

export const SIGN_UP_SETTINGS = {
  SIGN_UP: {
    meaning:
      'Who may create an account: invited people (`invited`), or anybody with an e-mail address ' +
      '(`open`, requires SMTP_URL). The first person always may, and owns the first workspace.',
    form: 'invited, open',
    default: 'invited',
    schema: oneOf(['invited', 'open']),
  },
} satisfies SettingsTable

export function findSignUpProblems(given: GivenSettings): string[] {
  return given.get('SIGN_UP') === 'open' && !given.has('SMTP_URL')
    ? ['SIGN_UP: open needs SMTP_URL, because an address is shown to be somebody’s by a mail to it']
    : []
}

export function signUpSettingsOf(values: ValuesOf<typeof SIGN_UP_SETTINGS>): SignUpSettings {
  return { signUp: values.SIGN_UP }
}
