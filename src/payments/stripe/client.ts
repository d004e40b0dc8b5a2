import Stripe from 'stripe'
import { Agent, fetch as fetchThrough } from 'undici'
import type { z } from 'zod'
import { PaymentFault, type PaymentFaultKind } from '../../domain/payment/fault.ts'
import type { Log } from '../../kernel/log.ts'
import { PAYMENT_LIMIT_MS } from '../contract.ts'

export class StripeClient {
  readonly api: Stripe
  private readonly agent = new Agent()
  private readonly log: Log

  /** Null for Stripe's real address. */
  constructor({ secretKey, apiUrl, log }: { secretKey: string; apiUrl: string | null; log: Log }) {
    this.log = log
    this.api = new Stripe(secretKey, {
      ...placeOf(apiUrl),
      // Limits the whole call. The caller decides about retries.
      timeout: PAYMENT_LIMIT_MS,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(fetcher(this.agent)),
    })
  }

  async ask<Shape extends z.ZodType>(
    what: string,
    shape: Shape,
    call: () => Promise<unknown>,
  ): Promise<z.output<Shape> | PaymentFault> {
    try {
      const read = shape.safeParse(await call())
      if (read.success) return read.data
      // Stripe may have done it, so this counts as no answer.
      const problems = problemsOf(read.error)
      this.log.error({ event: 'stripe.reply_invalid', call: what, problems }, 'Stripe replied in an unexpected form')
      return new PaymentFault('unavailable')
    } catch (error) {
      return faultOf(what, error, this.log)
    }
  }

  /** Skips and logs invalid objects. */
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

/** Logs no contents of the request, which may be card data or addresses. */
function faultOf(what: string, error: unknown, log: Log): PaymentFault {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const fault = new PaymentFault(kindOf(error))
  const { type, code, statusCode, requestId, param } = error
  // A declined card is the customer's. A bad request or key is ours and lasts until fixed.
  const isOurs =
    fault.kind === 'locked_out' || (fault.kind === 'refused' && !(error instanceof Stripe.errors.StripeCardError))
  log[isOurs ? 'error' : 'warn'](
    { event: 'stripe.call_failed', call: what, type, code, status: statusCode, requestId, param },
    'A call to Stripe failed',
  )
  return fault
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): PaymentFaultKind {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return error.code === 'resource_missing' ? 'gone' : 'refused'
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return 'locked_out'
  return error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeIdempotencyError
    ? 'refused'
    : 'unavailable'
}

export function problemsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
}

/**
 * Follows no redirects, so that the key stays with the configured address. The global fetch may use an agent of another
 * undici version.
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
