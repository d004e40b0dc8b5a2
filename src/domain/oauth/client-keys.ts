import { documentAddressProblem } from './document-address.ts'

/** RSA with SHA-256, and ECDSA on P-256 (RFC 7518). */
export const KEY_ALGORITHMS = ['RS256', 'ES256'] as const
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number]

export interface ClientKey {
  kid: string | null
  algorithm: KeyAlgorithm
  jwk: { kty: 'RSA'; n: string; e: string } | { kty: 'EC'; crv: 'P-256'; x: string; y: string }
}

export type ClientKeys = { keys: readonly ClientKey[] } | { address: string }

const KEYS_MAX = 5
const NUMBER = /^[A-Za-z0-9_-]+$/
/** 2048 to 4096 bits in base64url: shorter is unsafe, longer only slower. */
const MODULUS_MIN = 342
const MODULUS_MAX = 683
/** 65537 has 4 characters; a longer exponent only slows verification. */
const EXPONENT_MAX = 4
/** 32 bytes in base64url. */
const COORDINATE = /^[A-Za-z0-9_-]{43}$/

/** `jwks` and `jwks_uri` of RFC 7591; null when none is usable. */
export function clientKeysIn(jwks: unknown, jwksUri: unknown): ClientKeys | null {
  if (typeof jwksUri === 'string') return documentAddressProblem(jwksUri) === null ? { address: jwksUri } : null
  const keys = readKeySet(jwks)
  return keys.length === 0 ? null : { keys }
}

/** RFC 7517; unusable keys are skipped. */
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
