import type { Clock } from '../kernel/clock.ts'
import type { Egress } from '../kernel/egress.ts'
import type { Channel, Channels } from './contract.ts'
import { createWebhookSetup } from './webhook/config.ts'
import { createWebhookSender } from './webhook/sender.ts'

export interface ChannelsOptions {
  egress: Egress
  clock: Clock
  /** How the service names itself to receivers. */
  userAgent: string
}

/** The kinds of channel of this installation, for the rooms that know only the contract. */
export function createChannels(options: ChannelsOptions): Channels {
  const webhook: Channel = { kind: 'webhook', setup: createWebhookSetup(options.egress), sender: createWebhookSender(options) }
  return new Map([webhook].map((channel) => [channel.kind, channel]))
}
