import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Resendable } from '../../store/delivery/resending.ts'
import { refusesRetryOfMail } from '../channels/email/refuses-retry.ts'

/** Why a retry would do harm, or nothing, on a kind of channel. */
export type KindRefusal = 'email_hourly_limit' | 'email_idempotency_expired'

/**
 * What only a kind of channel knows against a retry at an instant, asked when nothing else speaks against it; null when
 * it is fine.
 */
export const REFUSES_RETRY: Partial<Record<ChannelKind, (delivery: Resendable, at: Date) => KindRefusal | null>> = {
  email: ({ kind, state: { status, error, attempts }, createdAt }, at) =>
    refusesRetryOfMail({ kind, status, error, attempts, createdAt }, at),
}
