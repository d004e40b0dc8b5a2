/**
 * Where a delivery stands. pending: waits for its first or next attempt. held: kept back until somebody asks for it
 * again. delivered, failed, cancelled: finished.
 */
export const DELIVERY_STATUSES = ['pending', 'held', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** What a delivery carries: one mention, a digest of a period, or an account event. */
export const DELIVERY_KINDS = ['mention', 'digest', 'event'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/** Whether nothing more happens to a delivery by itself and none is wanted: such a delivery can be sent anew. */
export function isFinished(status: DeliveryStatus): boolean {
  return status === 'delivered' || status === 'failed' || status === 'cancelled'
}

/**
 * What became of a delivery by an attempt, in the words of metrics and logs: one that is to be tried again is a retry.
 */
export function shownOutcome(status: DeliveryStatus): Exclude<DeliveryStatus, 'pending'> | 'retry' {
  return status === 'pending' ? 'retry' : status
}

/** How an attempt ended: a temporary failure may pass, a permanent one is not tried again. */
export const ATTEMPT_OUTCOMES = ['delivered', 'temporary_failure', 'permanent_failure'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]
