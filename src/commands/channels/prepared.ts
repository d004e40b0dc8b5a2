import type { Channel, ChannelSettings } from '../../channels/contract.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import type { Writing } from '../writing.ts'

/** A channel that is about to be stored. */
export interface Prepared {
  settings: ChannelSettings
  /** Stored sealed; null for kinds that need none. */
  secret: string | null
  /** Whether the caller is shown the secret, this once. */
  isShown: boolean
  /** What else is shown of the channel this once, beside its settings. */
  shown?: Record<string, unknown>
  /** What else is to be written, once the channel is stored under this id. */
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
 * Asks whoever has to be asked outside before a channel of one kind can be made, without a connection to the database
 * being held meanwhile; answers what is left to do within the transaction.
 */
export type PreparingOutside = (
  writing: Writing,
  channel: Channel,
  input: object,
) => Promise<Preparing | Refusal<PreparingRefusal>>

/** Makes a channel of one kind out of what a caller says of it, within the transaction that stores it. */
export type Preparing = (
  tx: Transaction,
  writing: Writing,
  channel: Channel,
  input: object,
) => Promise<Prepared | Refusal<PreparingRefusal>>
