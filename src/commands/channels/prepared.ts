import type { Channel, ChannelSettings } from '../../channels/contract.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import type { WritingContext } from '../writing.ts'

export interface PreparedChannel {
  settings: ChannelSettings
  /** Stored sealed; null for kinds without one. */
  secret: string | null
  isShown: boolean
  /** Shown only in this answer. */
  shown?: Record<string, unknown>
  /** Runs in the same transaction. */
  afterwards?(id: Uuid): Promise<void>
}

export type PreparingRefusal =
  | 'validation_error'
  | 'slack_not_connected'
  | 'recipient_suppressed'
  | 'confirmation_rate_limited'
  | 'telegram_not_configured'
  | 'upstream_unavailable'

/** Calls outside services without holding a database connection, and returns the work for the transaction. */
export type PreparingOutside = (
  writing: WritingContext,
  channel: Channel,
  input: object,
) => Promise<Preparing | Refusal<PreparingRefusal>>

export type Preparing = (
  tx: Transaction,
  writing: WritingContext,
  channel: Channel,
  input: object,
) => Promise<PreparedChannel | Refusal<PreparingRefusal>>
