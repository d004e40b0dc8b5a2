import type { SendResult } from '../channels/contract.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Trigger } from '../domain/delivery/lifecycle.ts'
import type { DeliveryKind } from '../domain/delivery/status.ts'
import type { Uuid } from '../kernel/ids.ts'

export interface Sending {
  workspaceId: Uuid
  channelId: Uuid
  kind: DeliveryKind | 'test'
  /** A test has an id too, but no log contains it. */
  deliveryId: Uuid
  mentionId: Uuid | null
}

/** The settings are added to those of the channel. */
export type Before =
  | { kind: 'go'; settings: Record<string, unknown> }
  | Extract<Trigger, { kind: 'defer' | 'hold' | 'cancel' | 'permanent_failure' }>

/**
 * The database work around an attempt of one kind of channel: limits, confirmations, the provider's reports. Deliveries
 * and tests call it. An attempt during which a hook throws is a temporary failure.
 */
export interface AroundSending {
  before?(sending: Sending): Promise<Before>
  /** Runs before the result is recorded, so it may run again for the same delivery. */
  after?(sending: Sending, result: SendResult): Promise<void>
  /** Called when the process ends, before the database closes: ends running work within seconds. Idempotent. */
  close?(): Promise<void>
}

/** Webhooks need no hooks. */
export type AroundSendings = Partial<Record<ChannelKind, AroundSending>>
