import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { isRecord } from './client.ts'
import { type ClientKey, KEY_ALGORITHMS, type KeyAlgorithm } from './client-keys.ts'

/** RFC 7523, section 2.2. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Used assertions are stored until they expire. */
const AHEAD_MAX_MS = 5 * MINUTE_MS
const SKEW_MS = MINUTE_MS
const TEXT_MAX = 8000
const NAME_MAX = 300

/** Its signature is not verified yet. */
export interface ClientAssertion {
  algorithm: KeyAlgorithm
  kid: string | null
  issuer: unknown
  clientId: string
  audiences: readonly unknown[]
  id: string
  expiresAt: Date
  notBefore: Date | null
  /** `signature` is in base64url. */
  signed: string
  signature: string
}

/** Null for a malformed assertion. */
export function readAssertion(text: string): ClientAssertion | null {
  const [, head, body, signature] =
    (text.length <= TEXT_MAX && /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text)) || []
  if (head === undefined || body === undefined || signature === undefined) return null
  const [header, claims] = [recordIn(head), recordIn(body)]
  // Extensions in `crit` must be understood, and none is.
  if (header === null || claims === null || header['crit'] !== undefined) return null
  const algorithm = KEY_ALGORITHMS.find((item) => item === header['alg'])
  const { iss, sub, aud, jti, exp, nbf } = claims
  const [expiresAt, notBefore] = [instant(exp), nbf === undefined ? null : instant(nbf)]
  if (
    algorithm === undefined ||
    typeof sub !== 'string' ||
    !isName(jti) ||
    expiresAt === null ||
    (nbf !== undefined && notBefore === null)
  )
    return null
  const kid = typeof header['kid'] === 'string' ? header['kid'] : null
  const audiences = Array.isArray(aud) ? aud : [aud]
  return {
    algorithm,
    kid,
    issuer: iss,
    clientId: sub,
    audiences,
    id: jti,
    expiresAt,
    notBefore,
    signed: `${head}.${body}`,
    signature,
  }
}

/** Apart from the signature; null when valid (RFC 7523, section 3). `ours` holds the accepted audiences. */
export function assertionProblem(
  { issuer, clientId, audiences, expiresAt, notBefore }: ClientAssertion,
  ours: readonly string[],
  now: Date,
): string | null {
  if (issuer !== clientId) return 'must have the client as iss and as sub'
  if (!audiences.some((audience) => ours.some((name) => name === audience)))
    return `must have one of these as aud: ${ours.join(', ')}`
  const [at, ends] = [now.getTime(), expiresAt.getTime()]
  if (ends <= at - SKEW_MS) return 'has expired'
  if (ends > at + AHEAD_MAX_MS + SKEW_MS) return `must expire within ${AHEAD_MAX_MS / MINUTE_MS} minutes`
  return notBefore !== null && notBefore.getTime() > at + SKEW_MS ? 'does not hold yet' : null
}

/** How long a used assertion is stored against replay; afterwards it has expired. */
export function rememberedUntil({ expiresAt }: ClientAssertion): Date {
  return new Date(expiresAt.getTime() + SKEW_MS)
}

/** An assertion must name one of several keys. Null without a match. */
export function keyFor(assertion: ClientAssertion, keys: readonly ClientKey[]): ClientKey | null {
  if (assertion.kid === null && keys.length !== 1) return null
  return keys.find((key) => mayBe(assertion, key)) ?? null
}

export function mayBe({ algorithm, kid }: ClientAssertion, key: ClientKey): boolean {
  return key.algorithm === algorithm && (kid === null || key.kid === kid)
}

function recordIn(part: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (text) => text.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Seconds since 1970; null outside the range of `Date`. */
function instant(seconds: unknown): Date | null {
  return typeof seconds === 'number' && seconds >= 0 && seconds < 8e12 ? new Date(seconds * SECOND_MS) : null
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_MAX
}
