import { key, keyText } from '../../../kernel/setting-forms.ts'
import { findMissing, type GivenSettings, type SettingsTable, type ValuesOf } from '../../../kernel/settings.ts'

interface SignInApp {
  id: string
  secret: string
}

export interface SignInSettings {
  /** Null when not set up. */
  signInApps: Record<'google' | 'github', SignInApp | null>
}

const clientId = (provider: string) => ({
  meaning:
    `The app at ${provider} through which people may sign in. Its redirect ` +
    `address is PUBLIC_URL/sign-in/${provider.toLowerCase()}/callback.`,
  form: 'text without blanks',
  fallback: `no sign-in through ${provider}`,
  schema: keyText,
})
const clientSecret = key('The secret of that app.', 'the app is not used')

export const SIGN_IN_SETTINGS = {
  GOOGLE_CLIENT_ID: clientId('Google'),
  GOOGLE_CLIENT_SECRET: clientSecret,
  GITHUB_CLIENT_ID: clientId('GitHub'),
  GITHUB_CLIENT_SECRET: clientSecret,
} satisfies SettingsTable

export function findSignInProblems(given: GivenSettings): string[] {
  return [
    ...findMissing(given, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']),
    ...findMissing(given, ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']),
  ]
}

export function signInSettingsOf(values: ValuesOf<typeof SIGN_IN_SETTINGS>): SignInSettings {
  return {
    signInApps: {
      google: appOf(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
      github: appOf(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
    },
  }
}

function appOf(id: string | undefined, secret: string | undefined): SignInApp | null {
  return id === undefined || secret === undefined ? null : { id, secret }
}
