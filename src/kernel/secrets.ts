import { createHash, randomBytes } from 'node:crypto'

/**
 * What the prefix of a secret says of it: an API key (ref), an OAuth access token (eat), refresh token (ert) or
 * authorization code (eac), the secret of a client (ecs), a session (ses), a link in an e-mail (lnk) or the address of
 * a feed (efd).
 */
export const SECRET_KINDS = ['ref', 'eat', 'ert', 'eac', 'ecs', 'ses', 'lnk', 'efd'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** Prefix, underscore and 32 random bytes in base64url. */
const FORM = /^([a-z]{3})_[A-Za-z0-9_-]{43}$/

/** A new secret. Only `hash`, its SHA-256, is ever stored; `text` goes to whom it is for and nowhere else. */
export function newSecret(kind: SecretKind): { text: string; hash: Buffer } {
  const text = secretFrom(kind, randomBytes(32))
  return { text, hash: hashOf(text) }
}

/** A secret of 32 bytes that were worked out and not drawn. */
export function secretFrom(kind: SecretKind, bytes: Buffer): string {
  return `${kind}_${bytes.toString('base64url')}`
}

/**
 * What a text is as a secret, and the hash by which it is found; null when it cannot be one, so that no statement is
 * spent on it.
 */
export function secretOf(text: string): { kind: SecretKind; hash: Buffer } | null {
  const kind = SECRET_KINDS.find((item) => item === FORM.exec(text)?.[1])
  return kind === undefined ? null : { kind, hash: hashOf(text) }
}

/** The SHA-256 by which a secret of at least 16 random bytes is known, also one of somebody else. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
