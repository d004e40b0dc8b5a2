import type { DeliveryKind, DeliveryStatus } from '../../../domain/delivery/status.ts'
import { plus } from '../../../kernel/clock.ts'
import { MENTION_LIMIT_REASON, SAFE_RETRY_MS } from './limits.ts'

/** A delivery of an e-mail channel that somebody wants to be retried. */
export interface RetriedMail {
  kind: DeliveryKind
  status: DeliveryStatus
  error: string | null
  attempts: number
  createdAt: Date
}

/**
 * Why a mail is not retried; null when it may be. What the hourly limit holds goes by itself when there is room again,
 * or is covered by a daily digest; replays of anything else may be retried besides. Of one that was attempted it is
 * known for a day who has it; later a retry could write to somebody twice, which only a replay may.
 */
export function refusesRetryOfMail(
  { kind, status, error, attempts, createdAt }: RetriedMail,
  at: Date,
): 'email_hourly_limit' | 'email_idempotency_expired' | null {
  if (kind === 'mention' && status === 'held' && error === MENTION_LIMIT_REASON) return 'email_hourly_limit'
  return attempts > 0 && at > plus(createdAt, SAFE_RETRY_MS) ? 'email_idempotency_expired' : null
}
