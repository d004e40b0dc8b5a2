import { createHash, randomBytes } from 'node:crypto'

/**
 * API key (ref), OAuth access token (eat), refresh token (ert), authorization code (eac), client secret (ecs), session
 * (ses), e-mail link (lnk), feed address (efd), inspection inbox (ein).
 */
export const SECRET_KINDS = ['ref', 'eat', 'ert', 'eac', 'ecs', 'ses', 'lnk', 'efd', 'ein'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** Prefix, underscore and 32 random bytes in base64url. */
const FORM = /^([a-z]{3})_[A-Za-z0-9_-]{43}$/

/** Only the SHA-256 `hash` is stored. */
export function newSecret(kind: SecretKind): { text: string; hash: Buffer } {
  const text = secretFrom(kind, randomBytes(32))
  return { text, hash: hashOf(text) }
}

/** From 32 derived bytes. */
export function secretFrom(kind: SecretKind, bytes: Buffer): string {
  return `${kind}_${bytes.toString('base64url')}`
}

/** Null when the text cannot be a secret, which saves a query. */
export function secretOf(text: string): { kind: SecretKind; hash: Buffer } | null {
  const kind = SECRET_KINDS.find((item) => item === FORM.exec(text)?.[1])
  return kind === undefined ? null : { kind, hash: hashOf(text) }
}

/** Safe for secrets of at least 16 random bytes. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
