import type { ProviderProfile } from '../../../commands/accounts/sign-in-by-provider.ts'

export interface SignInProvider {
  name: ProviderProfile['provider']
  title: 'Google' | 'GitHub'
  /** `memory` is kept secret until the browser returns. */
  start(redirectUri: string): Promise<{ url: string; memory: string }>
  /** Refused when the person or provider declines, or the answer does not match `memory`. */
  finish(callback: URL, memory: string, redirectUri: string): Promise<ProviderProfile | 'refused'>
}
