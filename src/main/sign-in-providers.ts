import { VERSION } from '../kernel/version.ts'
import { createGitHub } from '../surfaces/auth/providers/github.ts'
import { createGoogle } from '../surfaces/auth/providers/google.ts'
import type { SignInProvider } from '../surfaces/auth/providers/provider.ts'
import type { Installation } from './installation.ts'

/** The providers with an app of this installation. */
export function signInProvidersOf({ settings, services, egress, log }: Installation): readonly SignInProvider[] {
  const around = { egress, clock: services.clock, log, userAgent: `earshot/${VERSION}` }
  const { google, github } = settings.signInApps
  return [
    ...(google === null ? [] : [createGoogle({ app: google, ...around })]),
    ...(github === null ? [] : [createGitHub({ app: github, ...around })]),
  ]
}
