import { z } from 'zod'
import { buildEnvelope, MAX_PAYLOAD_BYTES, type Outgoing } from '../../domain/delivery/envelope.ts'
import { HIDDEN_VALUE } from '../../domain/delivery/mask.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { Egress } from '../../kernel/egress.ts'
import type { Inspections, Sender, SendResult, ShownRequest } from '../contract.ts'
import { attemptHttp, type HttpAttemptOptions, type HttpRequest } from '../http-attempt.ts'
import { checkHeaders } from './config.ts'
import { handOver } from './inspections.ts'
import { type SigningKeys, signatureHeaders, signingKeys } from './signing.ts'

export interface WebhookConfig extends SigningKeys {
  origin: string
  path: string
  headers: readonly (readonly [name: string, value: string])[]
}

export interface WebhookRequest extends HttpRequest {
  /** The delivery log masks their values. */
  masked: readonly string[]
}

export interface WebhookSenderOptions extends Omit<HttpAttemptOptions, 'limitMs' | 'dispatcher'> {
  egress: Pick<Egress, 'check' | 'dispatcher'>
  userAgent: string
  inspections: Inspections
  /** In milliseconds, 10,000 by default. */
  limitMs?: number
}

/** Includes connecting. */
export const REPLY_LIMIT_MS = 10 * SECOND_MS

const storedConfig = z.object({ url: z.string(), headers: z.record(z.string(), z.string()), secret: z.string() })

export function createWebhookSender(options: WebhookSenderOptions): Sender<WebhookConfig, WebhookRequest> {
  const attempt: HttpAttemptOptions = {
    dispatcher: options.egress.dispatcher,
    clock: options.clock,
    limitMs: options.limitMs ?? REPLY_LIMIT_MS,
  }
  return {
    readConfig: (stored) => readConfig(stored, options.egress),
    render: (outgoing, config, at) => render(outgoing, config, options.userAgent, at),
    shown,
    send(request, signal): Promise<SendResult> {
      if (request.body.length > MAX_PAYLOAD_BYTES) {
        return Promise.resolve({
          outcome: 'permanent',
          reason: 'payload over 1 MiB',
          status: null,
          durationMs: 0,
          replyExcerpt: null,
        })
      }
      const token = options.inspections.tokenIn(request.origin + request.path)
      return token === null
        ? attemptHttp(request, attempt, signal)
        : handOver(token, request, { ...attempt, inspections: options.inspections }, signal)
    },
  }
}

/** The operator may have withdrawn an exemption. */
function readConfig(stored: unknown, egress: Pick<Egress, 'check'>): WebhookConfig | Refusal<'validation_error'> {
  const parsed = storedConfig.safeParse(stored)
  if (!parsed.success) return refuseField('config', 'cannot be read')
  const { url, headers, secret } = parsed.data
  const refused = egress.check(url)
  if (refused) return refuseField('url', refused.reason)
  const checked = checkHeaders(headers)
  if (isRefusal(checked)) return checked
  const keys = signingKeys(secret)
  if (keys === null) return refuseField('secret', 'cannot be read')
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    headers: Object.entries(checked),
    ...keys,
  }
}

/** Serialized once; all three signatures cover the same bytes. */
export function render(outgoing: Outgoing, config: WebhookConfig, userAgent: string, at: Date): WebhookRequest {
  const body = Buffer.from(envelopeText(outgoing, at))
  const headers = [
    'Content-Type',
    'application/json',
    'User-Agent',
    userAgent,
    ...signatureHeaders(outgoing.id, body, config, at),
  ]
  for (const [name, value] of config.headers) headers.push(name, value)
  return { origin: config.origin, path: config.path, headers, body, masked: config.headers.map(([name]) => name) }
}

const dataTexts = new WeakMap<object, string>()

/** The data is by far the largest part, and is serialized once for all envelopes that share it. */
function envelopeText(outgoing: Outgoing, at: Date): string {
  const known = dataTexts.get(outgoing.data)
  const data = known ?? JSON.stringify(outgoing.data)
  if (known === undefined) dataTexts.set(outgoing.data, data)
  const { data: _, ...others } = buildEnvelope(outgoing, at)
  return `${JSON.stringify(others).slice(0, -1)},"data":${data}}`
}

function shown(request: WebhookRequest): ShownRequest {
  const headers: [string, string][] = []
  for (let at = 0; at < request.headers.length; at += 2) {
    const name = request.headers[at]!
    headers.push([name, request.masked.includes(name) ? HIDDEN_VALUE : request.headers[at + 1]!])
  }
  return { headers: Object.fromEntries(headers), body: request.body }
}
