import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { isRecord } from './client.ts'
import { type ClientKey, KEY_ALGORITHMS, type KeyAlgorithm } from './client-keys.ts'

/** The kind of assertion that is taken (RFC 7523, section 2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** How far ahead an assertion may end: it is made for one request, and has to be remembered until then. */
const AHEAD_MAX_MS = 5 * MINUTE_MS
/** By how much the clock of a client may differ from ours. */
const SKEW_MS = MINUTE_MS
const TEXT_MAX = 8000
const NAME_MAX = 300

/** A signed statement of a client that it is itself, read but not believed yet. */
export interface ClientAssertion {
  algorithm: KeyAlgorithm
  /** The key that it names; null when it names none. */
  kid: string | null
  issuer: unknown
  /** Whom it speaks of. */
  clientId: string
  /** For whom it is meant. */
  audiences: readonly unknown[]
  /** What makes it the only one of its kind. */
  id: string
  expiresAt: Date
  /** Null when it holds from the beginning. */
  notBefore: Date | null
  /** What is signed, and its signature in base64url. */
  signed: string
  signature: string
}

/** Reads an assertion; null when it is none that could be judged. */
export function readAssertion(text: string): ClientAssertion | null {
  const [, head, body, signature] =
    (text.length <= TEXT_MAX && /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text)) || []
  if (head === undefined || body === undefined || signature === undefined) return null
  const [header, claims] = [recordIn(head), recordIn(body)]
  // What `crit` names must be understood, and nothing is that could stand there.
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

/**
 * Why an assertion would not be believed even with a good signature; null when it would (RFC 7523, section 3). `ours`
 * are the names that we go by.
 */
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

/** Until when it must be remembered that an assertion was used: after this it would not be believed anyhow. */
export function rememberedUntil({ expiresAt }: ClientAssertion): Date {
  return new Date(expiresAt.getTime() + SKEW_MS)
}

/**
 * The one key that an assertion is checked with: which of several it is has to be named by the assertion. Null when
 * there is none.
 */
export function keyFor(assertion: ClientAssertion, keys: readonly ClientKey[]): ClientKey | null {
  if (assertion.kid === null && keys.length !== 1) return null
  return keys.find((key) => mayBe(assertion, key)) ?? null
}

/** Whether an assertion may have been signed with a key. */
export function mayBe({ algorithm, kid }: ClientAssertion, key: ClientKey): boolean {
  return key.algorithm === algorithm && (kid === null || key.kid === kid)
}

/** The JSON object in a part of an assertion; null when it is none. */
function recordIn(part: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (text) => text.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isRecord(value) ? value : null
  } catch {
    // Whatever is wrong with it, it is not an assertion.
    return null
  }
}

/** An instant in seconds since 1970; null for what is none that a calendar knows. */
function instant(seconds: unknown): Date | null {
  return typeof seconds === 'number' && seconds >= 0 && seconds < 8e12 ? new Date(seconds * SECOND_MS) : null
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= NAME_MAX
}
