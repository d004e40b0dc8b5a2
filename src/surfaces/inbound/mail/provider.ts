import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Bounced } from '../../../commands/channels/email/take-bounces.ts'
import type { Refusal } from '../../../domain/refusal/refusal.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'

export interface MailMessage {
  headers: IncomingHttpHeaders
  body: string
}

/** What a message tells, after its signature was checked. */
export interface MailReport {
  bounced: Bounced[]
  /** What tells its repetitions, and whether they say the same; null for a provider that signs nothing. */
  once: { id: string; content: string } | null
}

export type ReadReport = (
  message: MailMessage,
) => Promise<MailReport | Refusal<'invalid_signature' | 'validation_error' | 'upstream_unavailable'>>

/** SendGrid repeats a message for a day, the others for less. */
const REPEATED_MS = DAY_MS + HOUR_MS
const AHEAD_MS = 5 * MINUTE_MS

/** Whether a signed time lies where a first message or a repetition of it may. */
export function isCurrent(sentAt: Date, now: Date): boolean {
  const age = now.getTime() - sentAt.getTime()
  return age <= REPEATED_MS && age >= -AHEAD_MS
}

/** Null for what is no number of seconds since 1970. */
export function timeOfSeconds(text: string): Date | null {
  return /^\d{1,11}$/.test(text) ? new Date(Number(text) * SECOND_MS) : null
}

/** Compares hashes in constant time, which reveals nothing of either text or its length. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

export function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Null for what is no JSON. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
