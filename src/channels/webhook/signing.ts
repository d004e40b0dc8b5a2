import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { SECOND_MS } from '../../kernel/clock.ts'
import { SECRET_PREFIX } from './config.ts'

export interface SigningKeys {
  /** The whole secret, for the service's own signatures. */
  key: KeyObject
  /** Without the prefix, for the Standard Webhooks signature. */
  standardKey: KeyObject
}

/** Null for an invalid secret. */
export function signingKeys(secret: string): SigningKeys | null {
  const standardKey = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  if (!secret.startsWith(SECRET_PREFIX) || standardKey.length < 16) return null
  return { key: createSecretKey(Buffer.from(secret)), standardKey: createSecretKey(standardKey) }
}

/** Alternating names and values. */
export function signatureHeaders(id: string, body: Buffer, { key, standardKey }: SigningKeys, at: Date): string[] {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS))
  const hex = (prefix: string) => createHmac('sha256', key).update(prefix).update(body).digest('hex')
  const standard = createHmac('sha256', standardKey).update(`${id}.${timestamp}.`).update(body).digest('base64')
  return [
    'X-Mentions-Timestamp',
    timestamp,
    'X-Mentions-Signature-V2',
    `v2=${hex(`${timestamp}.`)}`,
    'X-Mentions-Signature',
    hex(''),
    'webhook-id',
    id,
    'webhook-timestamp',
    timestamp,
    'webhook-signature',
    `v1,${standard}`,
  ]
}
