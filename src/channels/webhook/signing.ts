import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { InspectedRequest } from '../contract.ts'
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

/** Between the signature and its check, before or after. */
const TOLERANCE_MS = 5 * MINUTE_MS

/** By the signature over timestamp and body, as a receiver would check it. */
export function isSignedBy(secret: string, { headers, body }: InspectedRequest, at: Date): boolean {
  const keys = signingKeys(secret)
  const timestamp = headers.get('x-mentions-timestamp') ?? ''
  if (keys === null || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(at.getTime() - Number(timestamp) * SECOND_MS) > TOLERANCE_MS) return false
  const expected = Buffer.from(
    `v2=${createHmac('sha256', keys.key).update(`${timestamp}.`).update(body).digest('hex')}`,
  )
  const given = Buffer.from(headers.get('x-mentions-signature-v2') ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
