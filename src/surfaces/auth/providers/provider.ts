import type { Profile } from '../../../commands/accounts/sign-in-by-provider.ts'

/** Somebody else who says who people are. */
export interface SignInProvider {
  name: Profile['provider']
  title: 'Google' | 'GitHub'
  /** Where to send a browser, and what has to be remembered for it until it comes back; kept from everybody else. */
  start(redirectUri: string): Promise<{ url: string; memory: string }>
  /** Who came back; refused when the person or the provider said no, or the answer is not for what was remembered. */
  finish(callback: URL, memory: string, redirectUri: string): Promise<Profile | 'refused'>
}
