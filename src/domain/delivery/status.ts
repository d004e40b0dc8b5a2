/**
 * pending: waits for its next attempt. held: waits for a condition or a caller. delivered, failed, cancelled: finished.
 */
export const DELIVERY_STATUSES = ['pending', 'held', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DELIVERY_KINDS = ['mention', 'digest', 'event'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

export function isFinished(status: DeliveryStatus): boolean {
  return status === 'delivered' || status === 'failed' || status === 'cancelled'
}

export function shownOutcome(status: DeliveryStatus): Exclude<DeliveryStatus, 'pending'> | 'retry' {
  return status === 'pending' ? 'retry' : status
}

export const ATTEMPT_OUTCOMES = ['delivered', 'temporary_failure', 'permanent_failure'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]
