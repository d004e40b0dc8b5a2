import type { DeliveryKind, DeliveryStatus } from '../../../domain/delivery/status.ts'
import { plus } from '../../../kernel/clock.ts'
import { MENTION_LIMIT_REASON, SAFE_RETRY_MS } from './limits.ts'

export interface RetriedMail {
  kind: DeliveryKind
  status: DeliveryStatus
  error: string | null
  attempts: number
  createdAt: Date
}

/**
 * Null allows the retry. Mentions held by the hourly limit are sent when there is room, or covered by a digest.
 * Recipients of an attempted mail are known for a day; a later retry could write to somebody twice, which only a replay
 * may.
 */
export function refusesRetryOfMail(
  { kind, status, error, attempts, createdAt }: RetriedMail,
  at: Date,
): 'email_hourly_limit' | 'email_idempotency_expired' | null {
  if (kind === 'mention' && status === 'held' && error === MENTION_LIMIT_REASON) return 'email_hourly_limit'
  return attempts > 0 && at > plus(createdAt, SAFE_RETRY_MS) ? 'email_idempotency_expired' : null
}
