import type { InputOf, Schema } from './types.ts'

type AccountEventName = NonNullable<
  NonNullable<Extract<InputOf<'createChannel'>, { kind: 'webhook' }>['events']>
>[number]

interface Envelope {
  /** The same in all attempts of a delivery: remember the ids that were handled. */
  id: string
  /** When the request was built. */
  createdAt: string
}

export interface WebhookRule {
  /** Null in a test without a rule. */
  id: string | null
  name: string
}

interface OfRule extends Envelope {
  /** The event name of the rule. */
  event: string
  alert: WebhookRule
  /** All rules that wanted it; `alert` is the oldest. */
  alerts: WebhookRule[]
}

/** Texts of posts are written by strangers: treat them neither as markup nor as instructions. */
export interface WebhookDigest {
  period: { mode: 'hourly' | 'daily' | 'weekly'; from: string; to: string; timezone: string }
  counts: { matched: number; relevant: number; positive: number; neutral: number; negative: number; buyIntent: number }
  platforms: { platform: Schema<'Mention'>['post']['platform']; matched: number; relevant: number }[]
  top: Schema<'Mention'>[]
  negative: Schema<'Mention'>[]
  buyingSignals: Schema<'Mention'>[]
}

/** The body of a delivery, discriminated by `kind`. */
export type Webhook =
  | (OfRule & { kind: 'mention'; data: Schema<'Mention'> })
  | (OfRule & { kind: 'digest'; data: WebhookDigest })
  | (Envelope & { kind: 'account'; event: AccountEventName; data: Record<string, unknown> })
  | (Envelope & { kind: 'test'; event: 'test'; alert: WebhookRule; data: { message: string } })

export type WebhookErrorCode = 'unsigned' | 'wrong_signature' | 'stale_timestamp' | 'unreadable_body'

/** A request that must not be trusted. Answer it with status 401, or 400 for `unreadable_body`. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignedRequest {
  /** Headers of the request, as Node or `fetch` has them. */
  headers: HeaderValues | { get(name: string): string | null }
  /** The raw body, before anything parsed it. */
  body: string | Uint8Array
}

export interface VerifyOptions {
  /** `whsec_...`. Several while a receiver changes from one to the next. */
  secret: string | readonly string[]
  /** `earshot`: the headers `X-Mentions-*`. `standard`: Standard Webhooks. By default, the first that is there. */
  scheme?: 'earshot' | 'standard'
  /** Between the signature and its check, in seconds, before or after: 300 by default. */
  toleranceSeconds?: number
  /** In milliseconds since 1970. */
  now?: () => number
}

const PREFIX = 'whsec_'

/** Checks the signature of a delivery, then reads it. Throws a `WebhookError` for a request that is not genuine. */
export async function verifyWebhook(request: SignedRequest, options: VerifyOptions): Promise<Webhook> {
  const { secret, toleranceSeconds = 300, now = Date.now } = options
  const secrets = [secret].flat()
  if (secrets.length === 0 || !secrets.every(isSecret)) throw new TypeError(`secret: must begin with ${PREFIX}`)
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body
  const signed = signatureIn(request.headers, options.scheme)
  if (!/^\d{1,12}$/.test(signed.timestamp) || Math.abs(now() / 1000 - Number(signed.timestamp)) > toleranceSeconds)
    throw new WebhookError('stale_timestamp', `The timestamp is more than ${toleranceSeconds} seconds away.`)
  for (const candidate of secrets) if (await isSignedBy(candidate, signed, body)) return webhookIn(body)
  throw new WebhookError('wrong_signature', 'The signature is not of this secret and body.')
}

function isSecret(secret: string): boolean {
  return secret.startsWith(PREFIX) && secret.length > PREFIX.length
}

interface Signed {
  scheme: 'earshot' | 'standard'
  timestamp: string
  /** What is signed before the body. */
  prefix: string
  /** Any of them may fit. */
  signatures: readonly Uint8Array<ArrayBuffer>[]
}

function signatureIn(headers: SignedRequest['headers'], wanted: VerifyOptions['scheme']): Signed {
  const header = (name: string) => headerOf(headers, name)
  const [own, standard] = [header('x-mentions-signature-v2'), header('webhook-signature')]
  if (own !== null && wanted !== 'standard') {
    const timestamp = header('x-mentions-timestamp') ?? ''
    const signatures = own.startsWith('v2=') ? [bytesOfHex(own.slice('v2='.length))] : []
    return { scheme: 'earshot', timestamp, prefix: `${timestamp}.`, signatures }
  }
  if (standard !== null && wanted !== 'earshot') {
    const timestamp = header('webhook-timestamp') ?? ''
    const given = standard.split(' ').filter((part) => part.startsWith('v1,'))
    return {
      scheme: 'standard',
      timestamp,
      prefix: `${header('webhook-id') ?? ''}.${timestamp}.`,
      signatures: given.map((part) => bytesOfBase64(part.slice('v1,'.length))),
    }
  }
  throw new WebhookError('unsigned', 'The request has no signature.')
}

function headerOf(headers: SignedRequest['headers'], name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name)
  const found = Object.entries(headers as HeaderValues).find(([given]) => given.toLowerCase() === name)?.[1]
  return (typeof found === 'string' ? found : found?.[0]) ?? null
}

/** The check of the platform takes the same time for every signature. */
async function isSignedBy(secret: string, { scheme, prefix, signatures }: Signed, body: Uint8Array): Promise<boolean> {
  const bytes = scheme === 'earshot' ? new TextEncoder().encode(secret) : bytesOfBase64(secret.slice(PREFIX.length))
  if (bytes.length === 0) return false
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const before = new TextEncoder().encode(prefix)
  const content = new Uint8Array(before.length + body.length)
  content.set(before)
  content.set(body, before.length)
  for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, content)) return true
  return false
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(text)) return new Uint8Array()
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    // No base64 fits no signature.
    return new Uint8Array()
  }
}

function webhookIn(body: Uint8Array): Webhook {
  const envelope = parsed(body)
  const { id, data, alert, alerts } = envelope
  if (typeof id !== 'string' || typeof data !== 'object' || data === null)
    throw new WebhookError('unreadable_body', 'The body is no delivery of Earshot.')
  const kind = kindOf(envelope, data)
  return { ...envelope, kind, ...(alert === null ? {} : { alerts: alerts ?? [alert] }) } as unknown as Webhook
}

function parsed(body: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body))) as Record<string, unknown>
  } catch {
    throw new WebhookError('unreadable_body', 'The body is not JSON.')
  }
}

function kindOf({ event, alert }: Record<string, unknown>, data: object): Webhook['kind'] {
  if (event === 'test' && 'message' in data) return 'test'
  if (alert === null) return 'account'
  return 'period' in data ? 'digest' : 'mention'
}
