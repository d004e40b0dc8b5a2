import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { type Client, isRecord, REDIRECT_URIS_MAX, readClientMetadata } from './client.ts'
import { redirectUriProblem } from './redirect-uri.ts'
import { isOAuthRefusal, type OAuthRefusal, refuseOAuth } from './refusal.ts'

export const DOCUMENT_BYTES = 16 * 1024
export const DOCUMENT_MS = 5 * SECOND_MS

/** The lower bound limits how often anybody can cause a fetch. */
const FRESH_AT_LEAST_MS = 5 * MINUTE_MS
const FRESH_AT_MOST_MS = DAY_MS

export interface FetchedDocument {
  status: number
  contentType: string | null
  cacheControl: string | null
  /** `Age`; null when absent. */
  ageSeconds: number | null
  text: string
}

/** A document must name its own address as id, or anybody could pose as the client. */
export function readClientDocument(address: string, fetched: FetchedDocument): Client | OAuthRefusal {
  const given = readJson(fetched)
  if (typeof given === 'string') return unusable(given)
  if (given['client_id'] !== address) return unusable('names another client_id than its own address')
  if (given['client_secret'] !== undefined || given['client_secret_expires_at'] !== undefined)
    return unusable('holds a secret, which everybody can read')
  const metadata = readClientMetadata({ ...given, redirect_uris: usableOf(given['redirect_uris']) }, DESCRIBED)
  return isOAuthRefusal(metadata) ? unusable(`cannot be used: ${metadata.description}`) : { id: address, ...metadata }
}

/** A client with only a document has no secret. */
const DESCRIBED = { possible: ['none', 'private_key_jwt'], absent: 'none' } as const

/** The JSON object, or the problem as text. */
export function readJson({ status, contentType, text }: FetchedDocument): Record<string, unknown> | string {
  if (status !== 200) return `was answered with status ${status}`
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) return 'is not sent as application/json'
  const given = parsed(text)
  return isRecord(given) ? given : 'is not a JSON object'
}

/** A document serves many servers: addresses invalid here are skipped while others remain. */
function usableOf(uris: unknown): unknown {
  if (!Array.isArray(uris)) return uris
  const good = uris.filter((uri) => typeof uri === 'string' && redirectUriProblem(uri) === null)
  return good.length === 0 ? uris : good.slice(0, REDIRECT_URIS_MAX)
}

/** RFC 9111, within our bounds. */
export function freshMs({ cacheControl, ageSeconds }: FetchedDocument): number {
  const rules = new Map(
    (cacheControl ?? '').split(',').map((rule) => {
      const [name = '', value = ''] = rule.trim().toLowerCase().split('=', 2)
      return [name, value.replace(/^"(.*)"$/, '$1')]
    }),
  )
  if (rules.has('no-store') || rules.has('no-cache')) return FRESH_AT_LEAST_MS
  const said = rules.get('max-age')
  if (said === undefined || !/^\d{1,10}$/.test(said)) return FRESH_AT_LEAST_MS
  const leftMs = (Number(said) - (ageSeconds ?? 0)) * SECOND_MS
  return Math.min(Math.max(leftMs, FRESH_AT_LEAST_MS), FRESH_AT_MOST_MS)
}

function unusable(why: string): OAuthRefusal {
  return refuseOAuth('invalid_client', `The document at the address that is the client_id ${why}`.replace(/\.?$/, '.'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
