import { documentAddressProblem } from './document-address.ts'

/** How a client may sign that it is itself: RSA with SHA-256, and ECDSA on P-256 (RFC 7518). */
export const KEY_ALGORITHMS = ['RS256', 'ES256'] as const
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number]

/** A public key of a client. */
export interface ClientKey {
  /** By which a signature names it; null when it has no name. */
  kid: string | null
  algorithm: KeyAlgorithm
  /** The key as RFC 7517 has it, without anything but itself. */
  jwk: { kty: 'RSA'; n: string; e: string } | { kty: 'EC'; crv: 'P-256'; x: string; y: string }
}

/** The public keys of a client, as it gave them, or where it keeps them. */
export type ClientKeys = { keys: readonly ClientKey[] } | { address: string }

/** Keys of one client that are looked at. */
const KEYS_MAX = 5
const NUMBER = /^[A-Za-z0-9_-]+$/
/** An RSA modulus of 2048 to 4096 bits in base64url: below it is not safe, above it only costs time. */
const MODULUS_MIN = 342
const MODULUS_MAX = 683
/** An RSA exponent in base64url: 65537 has 4 characters, and a longer one only makes checking dear. */
const EXPONENT_MAX = 4
/** A coordinate of P-256, 32 bytes in base64url. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/

/**
 * What a client says of its keys in its metadata (RFC 7591, `jwks` and `jwks_uri`); null when that is nothing that can
 * be used.
 */
export function clientKeysIn(jwks: unknown, jwksUri: unknown): ClientKeys | null {
  if (typeof jwksUri === 'string') return documentAddressProblem(jwksUri) === null ? { address: jwksUri } : null
  const keys = readKeySet(jwks)
  return keys.length === 0 ? null : { keys }
}

/**
 * The keys of a set (RFC 7517) with which a signature of ours can be checked. What is of another kind is passed over.
 */
export function readKeySet(given: unknown): ClientKey[] {
  const { keys } = (typeof given === 'object' && given !== null ? given : {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys.slice(0, KEYS_MAX).flatMap((key) => readKey(key) ?? []) : []
}

function readKey(given: unknown): ClientKey | null {
  if (typeof given !== 'object' || given === null) return null
  const { kty, kid, alg, use, crv, n, e, x, y } = given as Record<string, unknown>
  if (use !== undefined && use !== 'sig') return null
  const name = typeof kid === 'string' ? kid : null
  if (
    kty === 'RSA' &&
    (alg === undefined || alg === 'RS256') &&
    isNumber(n) &&
    isNumber(e) &&
    n.length >= MODULUS_MIN &&
    n.length <= MODULUS_MAX &&
    e.length <= EXPONENT_MAX
  )
    return { kid: name, algorithm: 'RS256', jwk: { kty, n, e } }
  if (kty === 'EC' && crv === 'P-256' && (alg === undefined || alg === 'ES256') && isCoordinate(x) && isCoordinate(y))
    return { kid: name, algorithm: 'ES256', jwk: { kty, crv, x, y } }
  return null
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && NUMBER.test(value)
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && COORDINATE.test(value)
}
