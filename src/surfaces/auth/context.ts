import type { FastifyRequest } from 'fastify'
import type { Services } from '../../commands/writing.ts'
import { foldEmail } from '../../domain/account/account.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import type { Log } from '../../kernel/log.ts'
import type { Allowance, RateLimits } from '../../operations/rate-limit.ts'
import { knownBrowser } from './known-browser.ts'
import type { SignInProvider } from './providers/provider.ts'

export interface SignInContext {
  services: Services
  log: Log
  limits: RateLimits
  providers: readonly SignInProvider[]
  /** The dashboard has the attention page then. */
  hasDashboard: boolean
}

/** Each kind is counted separately. `answer` is a return from a provider. */
export type Limited = 'sign-in' | 'answer' | 'sign-up' | 'reset' | 'link' | 'password'

/** Per kind, network and account. */
export const ATTEMPTS_PER_MINUTE = 10
/** High, so that nobody can lock another out of links. Mails have their own limit. */
const LINKS_PER_ACCOUNT = 100

/** Counts the attempt whether or not the account exists. */
export async function countAttempt(
  { limits }: SignInContext,
  request: FastifyRequest,
  what: Limited,
  email: string | null,
): Promise<Refusal<'rate_limited'> | null> {
  const account = email === null ? null : foldEmail(email)
  const ofNetwork = await limits.exact.take(`${what} address ${networkOf(request.ip)}`, ATTEMPTS_PER_MINUTE)
  if (!ofNetwork.granted) return tooMany(ofNetwork)
  if (account === null) return null
  const most = what === 'link' ? LINKS_PER_ACCOUNT : ATTEMPTS_PER_MINUTE
  const ofAccount = await limits.exact.take(`${what} account ${account}`, most)
  return ofAccount.granted ? null : tooMany(ofAccount)
}

export interface Guess {
  /** Null when the attempt may proceed. */
  refusal: Refusal<'rate_limited'> | null
  /** Call after a correct password: only wrong ones count. */
  wasRight(): Promise<void>
}

/**
 * A known browser has its own count, and a network without a failure in the last minute has one try, so strangers'
 * attempts do not lock the owner out.
 */
export async function countGuess(
  { limits: { exact } }: SignInContext,
  request: FastifyRequest,
  email: string,
): Promise<Guess> {
  const ofNetwork = await exact.take(`sign-in address ${networkOf(request.ip)}`, ATTEMPTS_PER_MINUTE)
  const account = foldEmail(email)
  if (!ofNetwork.granted || account === null)
    return { refusal: ofNetwork.granted ? null : tooMany(ofNetwork), wasRight: async () => undefined }
  const browser = knownBrowser(request, account)
  const key = browser === null ? `sign-in account ${account}` : `sign-in browser ${browser}`
  const taken = await exact.take(key, ATTEMPTS_PER_MINUTE)
  const firstKey = `sign-in account ${account} from ${networkOf(request.ip)}`
  const first = await exact.take(firstKey, 1)
  return {
    refusal: taken.granted || (browser === null && first.granted) ? null : tooMany(taken),
    async wasRight() {
      if (taken.granted) await exact.giveBack(key, taken)
      if (first.granted) await exact.giveBack(firstKey, first)
    },
  }
}

function tooMany({ retryAfterSeconds }: Allowance): Refusal<'rate_limited'> {
  return refuse('rate_limited', 'Too many attempts. Wait a minute, then try again.', { retryAfterSeconds })
}
