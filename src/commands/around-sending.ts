import type { SendResult } from '../channels/contract.ts'
import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Trigger } from '../domain/delivery/lifecycle.ts'
import type { DeliveryKind } from '../domain/delivery/status.ts'
import type { Uuid } from '../kernel/ids.ts'

/** Something that is about to be sent through a channel, or has just been. */
export interface Sending {
  workspaceId: Uuid
  channelId: Uuid
  kind: DeliveryKind | 'test'
  /** A test has one too, which is in no log. */
  deliveryId: Uuid
  mentionId: Uuid | null
}

/** Goes on with more settings for the sender, beside those of the channel; or does not. */
export type Before =
  | { kind: 'go'; settings: Record<string, unknown> }
  | Extract<Trigger, { kind: 'defer' | 'hold' | 'cancel' | 'permanent_failure' }>

/**
 * What sending through one kind of channel does in the database around an attempt, where the request alone does not do:
 * limits, who has confirmed, what the provider said of the channel. Both are called by whoever sends, deliveries and
 * tests alike; an attempt during which one throws counts as a temporary failure.
 */
export interface AroundSending {
  before?(sending: Sending): Promise<Before>
  /** Before the result of the delivery is written down, so that it may be called again for the same one. */
  after?(sending: Sending, result: SendResult): Promise<void>
  /**
   * Called when the process ends, before the database is closed: what still goes on after attempts is ended within
   * seconds. Idempotent.
   */
  close?(): Promise<void>
}

/** Webhooks need nothing of the kind. */
export type AroundSendings = Partial<Record<ChannelKind, AroundSending>>
