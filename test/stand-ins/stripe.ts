import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, SECOND_MS } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Payments } from '../../src/payments/contract.ts'
import { createStripePayments } from '../../src/payments/stripe/stripe.ts'

export const SECRET_KEY = 'sk_test_stand_in'
export const WEBHOOK_SECRET = 'whsec_stand_in'

// biome-ignore lint/suspicious/noExplicitAny: objects of the provider are read freely; what the service reads of them is what is tested
export type StripeObject = Record<string, any>

/** A request that the stand-in took. */
export interface Taken {
  method: string
  path: string
  /** Its form, with names as they are on the wire. */
  form: Record<string, string>
  idempotencyKey: string | null
}

/** What becomes of the next requests whose path holds `match`. */
export interface Fault {
  match: string
  status?: number
  body?: unknown
  /** The request is carried out, and its answer is lost. */
  dropAnswer?: boolean
  /** The answer never comes. */
  hang?: boolean
  times?: number
}

/** A payment provider on this machine, with customers, pages of payment, payments and invoices in memory. */
export interface StripeStandIn {
  /** Payments through it, as an installation sets them up; it lives by this clock from then on. */
  payments(clock: Clock): Payments
  /** What the client logged. */
  lines: string[]
  url: string
  objects: Map<string, StripeObject>
  taken: Taken[]
  faults: Fault[]
  put(object: StripeObject): StripeObject
  /** A page of payment is paid, and answers the payment. */
  pay(sessionId: string): StripeObject
  /** A message about something, with its signature. */
  message(type: string, object: unknown, options?: MessageOptions): { body: string; signature: string }
  close(): Promise<void>
}

export interface MessageOptions {
  /** When it was made; now unless told otherwise. */
  created?: number
  /** When it is signed; now unless told otherwise. */
  signedAt?: number
}

export async function createStripeStandIn(): Promise<StripeStandIn> {
  let clock: Clock | null = null
  const clients: Payments[] = []
  const lines: string[] = []
  const objects = new Map<string, StripeObject>()
  const answers = new Map<string, { words: string; status: number; body: string }>()
  const taken: Taken[] = []
  const faults: Fault[] = []
  const now = () => Math.floor(clock!.now().getTime() / SECOND_MS)
  const put = (object: StripeObject) => {
    objects.set(object['id'], object)
    return object
  }

  const server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString()
    const address = new URL(request.url!, 'http://stripe')
    const form = Object.fromEntries([...address.searchParams, ...new URLSearchParams(raw)])
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' ? key : null
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(body)
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return void send(401, JSON.stringify(errorOf({ type: 'invalid_request_error', message: 'Invalid API Key' })))
    taken.push({ method: request.method!, path: address.pathname, form, idempotencyKey })
    const fault = nextFault(address.pathname)
    if (fault?.hang) return
    if (fault?.status !== undefined)
      return void send(fault.status, JSON.stringify(fault.body ?? errorOf({ type: 'api_error' })))
    const before = idempotencyKey === null ? undefined : answers.get(idempotencyKey)
    const words = `${request.method} ${address.pathname} ${raw}`
    const answered =
      before === undefined
        ? carryOut(request.method!, address.pathname, form)
        : before.words === words
          ? before
          : { status: 400, body: JSON.stringify(errorOf({ type: 'idempotency_error', message: 'other words' })) }
    if (idempotencyKey !== null && request.method === 'POST' && before === undefined)
      answers.set(idempotencyKey, { words, ...answered })
    if (fault?.dropAnswer) return void request.socket.destroy()
    send(answered.status, answered.body)
  }

  function nextFault(path: string): Fault | undefined {
    const fault = faults.find(({ match }) => path.includes(match))
    if (fault === undefined) return undefined
    fault.times = (fault.times ?? 1) - 1
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1)
    return fault
  }

  function carryOut(method: string, path: string, form: Record<string, string>): { status: number; body: string } {
    const reply = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })
    const missing = (param: string) =>
      reply(404, errorOf({ type: 'invalid_request_error', code: 'resource_missing', param, message: 'No such thing' }))
    const [, , kind, name] = path.split('/')
    if (method === 'POST' && path === '/v1/customers')
      return reply(200, put({ id: newId('cus'), object: 'customer', email: form['email'], metadata: labelsIn(form) }))
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      if (!objects.has(form['customer']!)) return missing('customer')
      return reply(200, put(sessionFrom(form, now())))
    }
    if (method === 'POST' && path === '/v1/payment_intents') {
      if (!objects.has(form['customer']!)) return missing('customer')
      const intent = put(intentFrom({ ...form, metadata: labelsIn(form), amount: Number(form['amount']) }, now()))
      return conclude(intent, form['payment_method']!, reply)
    }
    if (kind === 'invoices' && name === undefined) {
      const own = [...objects.values()].filter(
        ({ object, customer }) =>
          object === 'invoice' && (form['customer'] === undefined || customer === form['customer']),
      )
      const newest = own.sort((a, b) => b['created'] - a['created'])
      const begin =
        form['starting_after'] === undefined ? 0 : newest.findIndex(({ id }) => id === form['starting_after']) + 1
      const limit = Number(form['limit'] ?? 10)
      return reply(200, {
        object: 'list',
        data: newest.slice(begin, begin + limit),
        has_more: newest.length > begin + limit,
      })
    }
    if (method === 'GET' && kind === 'payment_intents' && name === undefined) {
      const begun = (stripeObject: StripeObject) =>
        stripeObject['customer'] === form['customer'] && stripeObject['created'] >= Number(form['created[gte]'])
      const own = [...objects.values()]
        .filter((stripeObject) => stripeObject['object'] === 'payment_intent' && begun(stripeObject))
        .reverse()
      const limit = Number(form['limit'] ?? 10)
      const charged = (stripeObject: StripeObject) => ({
        ...stripeObject,
        latest_charge: objects.get(stripeObject['latest_charge']) ?? null,
      })
      const data = form['expand[0]'] === 'data.latest_charge' ? own.map(charged) : own
      return reply(200, { object: 'list', data: data.slice(0, limit), has_more: own.length > limit })
    }
    if (method === 'GET' && kind === 'disputes' && name === undefined) {
      const own = [...objects.values()].filter(
        (stripeObject) =>
          stripeObject['object'] === 'dispute' && stripeObject['payment_intent'] === form['payment_intent'],
      )
      return reply(200, { object: 'list', data: own, has_more: false })
    }
    const found = objects.get(name!)
    if (method === 'POST' && kind === 'customers' && found !== undefined)
      return reply(200, Object.assign(found, { email: form['email'] }))
    return method === 'GET' && found !== undefined ? reply(200, found) : missing('id')
  }

  function conclude(
    intent: StripeObject,
    method: string,
    reply: (status: number, body: unknown) => { status: number; body: string },
  ) {
    const decline = DECLINES[method]
    if (decline !== undefined) {
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: decline })
      return reply(402, errorOf({ type: 'card_error', ...decline, payment_intent: intent }))
    }
    if (method === 'pm_slow') return reply(200, Object.assign(intent, { status: 'processing' }))
    return reply(200, succeed(intent))
  }

  function succeed(intent: StripeObject): StripeObject {
    const charge = put({
      id: `ch_${intent['id']}`,
      object: 'charge',
      payment_intent: intent['id'],
      amount_refunded: 0,
      disputed: false,
      currency: intent['currency'],
      metadata: intent['metadata'],
    })
    return Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      latest_charge: charge['id'],
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    payments(given) {
      clock = given
      const log = createLog('debug', { write: (line: string) => void lines.push(line) })
      const made = createStripePayments({
        secretKey: SECRET_KEY,
        webhookSecret: WEBHOOK_SECRET,
        apiUrl: url,
        clock,
        log,
      })
      clients.push(made)
      return made
    },
    lines,
    url,
    objects,
    taken,
    faults,
    put,
    pay(sessionId) {
      const session = objects.get(sessionId)!
      const { amount_total: amount, customer, payment_labels: metadata } = session
      const intent = succeed(put(intentFrom({ amount, customer, metadata, payment_method: newId('pm') }, now())))
      Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: intent['id'], url: null })
      return intent
    },
    message(type, object, { created = now(), signedAt = now() } = {}) {
      const body = JSON.stringify({ id: newId('evt'), object: 'event', type, created, data: { object } }, null, 2)
      return { body, signature: signatureOf(body, signedAt) }
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a message is signed with: an instant in seconds and a signature by it, and one of another version. */
export function signatureOf(body: string, signedAt: number, secret = WEBHOOK_SECRET): string {
  return `t=${signedAt},v1=${createHmac('sha256', secret).update(`${signedAt}.${body}`).digest('hex')},v0=${'1'.repeat(64)}`
}

/** What comes of charging these, as the provider's own test methods have it. */
const DECLINES: Readonly<Record<string, { code: string; decline_code: string; message: string }>> = {
  pm_declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  pm_poor: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  pm_asks: { code: 'authentication_required', decline_code: 'authentication_required', message: 'Please confirm.' },
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

function errorOf(error: Record<string, unknown>): object {
  return { error: { message: 'error', ...error } }
}

function labelsIn(form: Record<string, string>, before = ''): Record<string, string> {
  const name = before === '' ? /^metadata\[(\w+)\]$/ : /^payment_intent_data\[metadata\]\[(\w+)\]$/
  return Object.fromEntries(
    Object.entries(form).flatMap(([field, value]) => (name.exec(field) ? [[name.exec(field)![1]!, value]] : [])),
  )
}

function sessionFrom(form: Record<string, string>, created: number): StripeObject {
  const id = newId('cs_test')
  return {
    id,
    object: 'checkout.session',
    created,
    amount_total: Number(form['line_items[0][price_data][unit_amount]']),
    currency: form['line_items[0][price_data][currency]'],
    customer: form['customer'],
    client_reference_id: form['client_reference_id'],
    metadata: labelsIn(form),
    payment_labels: labelsIn(form, 'payment_intent_data'),
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    url: `https://checkout.stripe.example/c/pay/${id}`,
  }
}

function intentFrom(given: StripeObject, created: number): StripeObject {
  return {
    id: newId('pi'),
    object: 'payment_intent',
    created,
    status: 'requires_confirmation',
    amount: given['amount'],
    amount_received: 0,
    currency: 'usd',
    customer: given['customer'] ?? null,
    payment_method: given['payment_method'] ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: given['metadata'] ?? {},
  }
}
