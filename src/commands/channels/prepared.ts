import type { Channel, ChannelSettings } from '../../channels/contract.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import type { Writing } from '../writing.ts'

export interface Prepared {
  settings: ChannelSettings
  /** Stored sealed; null for kinds without one. */
  secret: string | null
  /** Whether this one answer shows the secret. */
  isShown: boolean
  /** Further fields of this one answer. */
  shown?: Record<string, unknown>
  /** Runs after the channel is stored, in the same transaction. */
  afterwards?(id: Uuid): Promise<void>
}

export type PreparingRefusal =
  | 'validation_error'
  | 'slack_not_connected'
  | 'recipient_suppressed'
  | 'confirmation_rate_limited'
  | 'telegram_not_configured'
  | 'upstream_unavailable'

/**
 * Calls outside services before a channel is created, without a database connection, and returns the work for the
 * transaction.
 */
export type PreparingOutside = (
  writing: Writing,
  channel: Channel,
  input: object,
) => Promise<Preparing | Refusal<PreparingRefusal>>

/** Prepares a channel in the transaction that stores it. */
export type Preparing = (
  tx: Transaction,
  writing: Writing,
  channel: Channel,
  input: object,
) => Promise<Prepared | Refusal<PreparingRefusal>>
