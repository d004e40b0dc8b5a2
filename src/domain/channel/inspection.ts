import { DAY_MS } from '../../kernel/clock.ts'
import { secretOf } from '../../kernel/secrets.ts'

/** Of inspection inboxes, which receive the requests of webhook channels on trial. */
export const INSPECTIONS = {
  /** One more replaces the oldest. */
  perWorkspace: 5,
  /** The newest requests of an inbox; older ones are deleted. */
  requests: 20,
  keptMs: DAY_MS,
  /** Requests of an inbox in a minute. */
  perMinute: 60,
  /** Of a body that is stored; the rest is only verified and counted. */
  bodyBytes: 64 * 1024,
  headers: 64,
  /** Of a header's name and of its value. */
  headerCharacters: 1024,
  name: 60,
} as const

export const INSPECTION_PATH = '/inspect/'

/**
 * Whether a request was signed with the secret of a channel that leads to the inbox; `unknown` when no channel leads
 * there.
 */
export const SIGNATURE_VERDICTS = ['valid', 'invalid', 'unknown'] as const
export type SignatureVerdict = (typeof SIGNATURE_VERDICTS)[number]

export function inspectionUrl(publicUrl: string, token: string): string {
  return publicUrl + INSPECTION_PATH + token
}

/**
 * The token in the URL of an inbox of this installation. Null for every other URL, also for another spelling of the
 * same one.
 */
export function inspectionTokenIn(publicUrl: string, url: string): string | null {
  const start = inspectionUrl(publicUrl, '')
  const token = url.slice(start.length)
  return url.startsWith(start) && secretOf(token)?.kind === 'ein' ? token : null
}

/** Headers of deliveries. The values of others may be credentials and are not stored. */
const SHOWN_HEADER = /^(content-type|content-length|user-agent|x-mentions-[a-z0-9-]+|webhook-[a-z0-9-]+)$/

export function isShownHeader(name: string): boolean {
  return SHOWN_HEADER.test(name)
}
