import type { FastifyRequest } from 'fastify'
import type { Services } from '../../commands/writing.ts'
import { foldEmail } from '../../domain/account/account.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import type { Log } from '../../kernel/log.ts'
import type { Allowance, RateLimits } from '../../operations/rate-limit.ts'
import { knownBrowser } from './known-browser.ts'
import type { SignInProvider } from './providers/provider.ts'

/** What the pages for people hold. */
export interface AuthDoor {
  services: Services
  log: Log
  limits: RateLimits
  /** Through whom people may sign in besides. */
  providers: readonly SignInProvider[]
}

/** What is limited, each kind with counts of its own. An answer is what somebody comes back with from a provider. */
export type Limited = 'sign-in' | 'answer' | 'sign-up' | 'reset' | 'link' | 'password'

/** Attempts of one kind in a minute, from one network and for one account. */
export const ATTEMPTS_PER_MINUTE = 10
/**
 * Links to sign in that may be asked for in a minute for one account, from all networks together: so many that nobody
 * can keep another one from this way in. How many are mailed is limited by themselves.
 */
const LINKS_PER_ACCOUNT = 100

/** Counts an attempt, whoever it is for and whether or not that account exists; refused when there were too many. */
export function countAttempt(
  { limits }: AuthDoor,
  request: FastifyRequest,
  what: Limited,
  email: string | null,
): Refusal<'rate_limited'> | null {
  const account = email === null ? null : foldEmail(email)
  const ofNetwork = limits.take(`${what} address ${networkOf(request.ip)}`, ATTEMPTS_PER_MINUTE)
  if (!ofNetwork.granted) return tooMany(ofNetwork)
  if (account === null) return null
  const ofAccount = limits.take(`${what} account ${account}`, what === 'link' ? LINKS_PER_ACCOUNT : ATTEMPTS_PER_MINUTE)
  return ofAccount.granted ? null : tooMany(ofAccount)
}

/** An attempt to sign in by password. */
export interface Guess {
  /** Why it is not to be tried; null when it may be. */
  refusal: Refusal<'rate_limited'> | null
  /** To be called when it was right: only wrong ones count against an account. */
  wasRight(): void
}

/**
 * Counts an attempt to sign in by password. What strangers use up of an account's attempts keeps only them out: a
 * browser in which somebody has signed in to it before has a count of its own, and a network from which nobody failed
 * in the last minute has one try.
 */
export function countGuess({ limits }: AuthDoor, request: FastifyRequest, email: string): Guess {
  const ofNetwork = limits.take(`sign-in address ${networkOf(request.ip)}`, ATTEMPTS_PER_MINUTE)
  const account = foldEmail(email)
  if (!ofNetwork.granted || account === null)
    return { refusal: ofNetwork.granted ? null : tooMany(ofNetwork), wasRight: () => undefined }
  const browser = knownBrowser(request, account)
  const key = browser === null ? `sign-in account ${account}` : `sign-in browser ${browser}`
  const taken = limits.take(key, ATTEMPTS_PER_MINUTE)
  const firstKey = `sign-in account ${account} from ${networkOf(request.ip)}`
  const first = limits.take(firstKey, 1)
  return {
    refusal: taken.granted || (browser === null && first.granted) ? null : tooMany(taken),
    wasRight() {
      if (taken.granted) limits.giveBack(key, taken)
      if (first.granted) limits.giveBack(firstKey, first)
    },
  }
}

function tooMany({ retryAfterSeconds }: Allowance): Refusal<'rate_limited'> {
  return refuse('rate_limited', 'Too many attempts. Wait a minute, then try again.', { retryAfterSeconds })
}
