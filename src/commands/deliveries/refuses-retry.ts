import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { Resendable } from '../../store/delivery/resending.ts'
import { refusesRetryOfMail } from '../channels/email/refuses-retry.ts'

export type KindRefusal = 'email_hourly_limit' | 'email_idempotency_expired'

/** Refusals of single kinds of channel, checked last; null allows the retry. */
export const REFUSES_RETRY: Partial<Record<ChannelKind, (delivery: Resendable, at: Date) => KindRefusal | null>> = {
  email: ({ kind, state: { status, error, attempts }, createdAt }, at) =>
    refusesRetryOfMail({ kind, status, error, attempts, createdAt }, at),
}
