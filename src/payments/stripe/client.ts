import Stripe from 'stripe'
import { Agent, fetch as fetchThrough } from 'undici'
import type { z } from 'zod'
import { type FaultKind, PaymentFault } from '../../domain/payment/fault.ts'
import type { Log } from '../../kernel/log.ts'
import { PAYMENT_LIMIT_MS } from '../contract.ts'

/** Calls Stripe through its own library, and reads of its answers what is relied on. */
export class StripeClient {
  readonly api: Stripe
  private readonly agent = new Agent()
  private readonly log: Log

  /** `apiUrl` replaces the address of Stripe's interface; null for the real one. */
  constructor({ secretKey, apiUrl, log }: { secretKey: string; apiUrl: string | null; log: Log }) {
    this.log = log
    this.api = new Stripe(secretKey, {
      ...placeOf(apiUrl),
      // Limits one call as a whole. Calls are not repeated here: the caller knows whether asking again is worth it.
      timeout: PAYMENT_LIMIT_MS,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(fetcher(this.agent)),
    })
  }

  /** Makes one call; `what` names it in the log. */
  async ask<Shape extends z.ZodType>(
    what: string,
    shape: Shape,
    call: () => Promise<unknown>,
  ): Promise<z.output<Shape> | PaymentFault> {
    try {
      const read = shape.safeParse(await call())
      if (read.success) return read.data
      // It may well have been done: the same as no answer.
      const problems = problemsOf(read.error)
      this.log.error({ event: 'stripe.reply_invalid', call: what, problems }, 'Stripe replied in an unexpected form')
      return new PaymentFault('unavailable')
    } catch (error) {
      return faultOf(what, error, this.log)
    }
  }

  /** Those of a list that have the expected form: one that has not must not hide the others. */
  readable<Shape extends z.ZodType>(what: string, shape: Shape, list: readonly { id: string }[]): z.output<Shape>[] {
    return list.flatMap((object) => {
      const read = shape.safeParse(object)
      if (read.success) return [read.data]
      const problems = problemsOf(read.error)
      this.log.error(
        { event: 'stripe.item_invalid', call: what, id: object.id, problems },
        'An item in a list from Stripe has an unexpected form',
      )
      return []
    })
  }

  close(): Promise<void> {
    return this.agent.destroy()
  }
}

/**
 * What went wrong, without anything of the request: the log must not hold what is written on cards and in addresses.
 */
function faultOf(what: string, error: unknown, log: Log): PaymentFault {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const fault = new PaymentFault(kindOf(error))
  const { type, code, statusCode, requestId, param } = error
  // A card that is declined is the customer's matter. What is wrong with the request or the key is ours, and goes on
  // until somebody mends it.
  const isOurs =
    fault.kind === 'locked_out' || (fault.kind === 'refused' && !(error instanceof Stripe.errors.StripeCardError))
  log[isOurs ? 'error' : 'warn'](
    { event: 'stripe.call_failed', call: what, type, code, status: statusCode, requestId, param },
    'A call to Stripe failed',
  )
  return fault
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): FaultKind {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return error.code === 'resource_missing' ? 'gone' : 'refused'
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return 'locked_out'
  return error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeIdempotencyError
    ? 'refused'
    : 'unavailable'
}

/** Where an answer is not as expected, without what stands there. */
export function problemsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
}

/**
 * The key goes to the address that was set, and never to where that may point on. The function of the platform is no
 * use: it goes through whatever agent the process has, which may be of another version than itself.
 */
function fetcher(dispatcher: Agent): typeof fetch {
  const through: (url: string, init?: RequestInit) => Promise<unknown> = (url, init) =>
    fetchThrough(url, { ...(init as Parameters<typeof fetchThrough>[1]), redirect: 'error', dispatcher })
  return through as typeof fetch
}

function placeOf(apiUrl: string | null): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiUrl === null) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  const secure = protocol === 'https:'
  const usualPort = secure ? 443 : 80
  return { host: hostname, port: port === '' ? usualPort : Number(port), protocol: secure ? 'https' : 'http' }
}
