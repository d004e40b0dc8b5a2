import { randomBytes } from 'node:crypto'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { Egress } from '../../kernel/egress.ts'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import { checkEvents, checkLabel } from '../checked-settings.ts'
import type { ChannelSettings, ChannelSetup } from '../contract.ts'

export const MAX_HEADERS = 20
export const MAX_HEADER_NAME_LENGTH = 100
export const MAX_HEADER_VALUE_LENGTH = 1024
const SECRET_BYTES = 32
export const SECRET_PREFIX = 'whsec_'

export interface WebhookInput {
  url: string
  label?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  events?: readonly string[] | undefined
}

/** Shown without the secret. Header names are lowercase. */
export interface WebhookDestination {
  url: string
  headers: Record<string, string>
}

export function createWebhookSetup(egress: Pick<Egress, 'check'>): ChannelSetup<WebhookInput, WebhookDestination> {
  return {
    create(input) {
      const url = checkUrl(input.url, egress)
      if (isRefusal(url)) return url
      return settingsOf(url, input.label ?? new URL(url).host, input.headers ?? {}, input.events ?? [])
    },
    change(current, input) {
      const url = input.url === undefined ? current.config.url : checkUrl(input.url, egress)
      if (isRefusal(url)) return url
      const settings = settingsOf(
        url,
        input.label ?? current.label,
        input.headers ?? current.config.headers,
        input.events ?? current.events,
      )
      if (isRefusal(settings)) return settings
      return { settings, cancelsUnsent: !sameDestination(settings.config, current.config) }
    },
    newSecret: newWebhookSecret,
  }
}

/** 32 random bytes serve both signing schemes. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

function settingsOf(
  url: string,
  label: string,
  headers: Readonly<Record<string, string>>,
  events: readonly string[],
): ChannelSettings<WebhookDestination> | Refusal<'validation_error'> {
  const checkedLabel = checkLabel(label)
  if (isRefusal(checkedLabel)) return checkedLabel
  const checkedHeaders = checkHeaders(headers)
  if (isRefusal(checkedHeaders)) return checkedHeaders
  const checkedEvents = checkEvents('webhook', events)
  if (isRefusal(checkedEvents)) return checkedEvents
  return { label: checkedLabel, config: { url, headers: checkedHeaders }, events: checkedEvents }
}

/** Fragments are never sent. */
function checkUrl(text: string, egress: Pick<Egress, 'check'>): string | Refusal<'validation_error'> {
  const refused = egress.check(text)
  if (refused) return refuseField('url', refused.reason)
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** Set by the service or the transport: receivers rely on User-Agent, and content-* would describe another body. */
const RESERVED_NAMES = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'user-agent',
  'http2-settings',
])
const RESERVED_PREFIXES = ['content-', 'proxy-', 'x-mentions-', 'webhook-']

function isReserved(name: string): boolean {
  return RESERVED_NAMES.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))
}

export function checkHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> | Refusal<'validation_error'> {
  const entries = Object.entries(headers)
  if (entries.length > MAX_HEADERS) return refuseField('headers', `must be at most ${MAX_HEADERS}`)
  const checked = new Map<string, string>()
  for (const [given, value] of entries) {
    const name = given.toLowerCase()
    const reason =
      headerProblem(given, value) ?? (checked.has(name) ? 'is named twice, upper and lower case are the same' : null)
    if (reason !== null) return refuseField(`headers.${excerpt(cleanLine(name), 60)}`, reason)
    checked.set(name, value)
  }
  return Object.fromEntries(checked)
}

function headerProblem(given: string, value: string): string | null {
  if (given.length > MAX_HEADER_NAME_LENGTH) return `must have a name of at most ${MAX_HEADER_NAME_LENGTH} characters`
  // Before lowercasing, which maps letters such as the Kelvin sign to ASCII.
  if (!/^[A-Za-z0-9-]+$/.test(given)) return 'must have a name of letters, digits and hyphens'
  if (isReserved(given.toLowerCase())) return 'is set by the service and cannot be changed'
  if (value.length > MAX_HEADER_VALUE_LENGTH) return `must have at most ${MAX_HEADER_VALUE_LENGTH} characters`
  return /^[\x20-\x7e]*$/.test(value) ? null : 'must hold printable ASCII characters only'
}

function sameDestination(a: WebhookDestination, b: WebhookDestination): boolean {
  const names = Object.keys(a.headers)
  return (
    a.url === b.url &&
    names.length === Object.keys(b.headers).length &&
    names.every((name) => Object.hasOwn(b.headers, name) && a.headers[name] === b.headers[name])
  )
}
