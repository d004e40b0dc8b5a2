import type { SendResult } from '../channels/contract.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Trigger } from '../domain/delivery/lifecycle.ts'
import type { DeliveryKind } from '../domain/delivery/status.ts'
import type { Uuid } from '../kernel/ids.ts'

export interface Sending {
  workspaceId: Uuid
  channelId: Uuid
  kind: DeliveryKind | 'test'
  /** A test's id is in no log. */
  deliveryId: Uuid
  mentionId: Uuid | null
}

/** The settings are added to those of the channel. */
export type Before =
  | { kind: 'go'; settings: Record<string, unknown> }
  | Extract<Trigger, { kind: 'defer' | 'hold' | 'cancel' | 'permanent_failure' }>

/**
 * The database work around attempts of one kind of channel. An attempt during which a hook throws is a temporary
 * failure.
 */
export interface AroundSending {
  before?(sending: Sending): Promise<Before>
  /** Runs before the result is recorded, so it may run again for a delivery. */
  after?(sending: Sending, result: SendResult): Promise<void>
  /** Runs before the database closes: ends running work within seconds. Idempotent. */
  close?(): Promise<void>
}

export type AroundSendings = Partial<Record<ChannelKind, AroundSending>>
