import type { ChannelKind } from '../domain/channel/channel-kind.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Egress } from '../kernel/egress.ts'
import type { MailTransport } from '../kernel/mail.ts'
import type { Channel, ChannelSetup, Channels, Inspections } from './contract.ts'
import { createEmailSender } from './email/sender.ts'
import { emailSetup } from './email/setup.ts'
import { createSlackSetup } from './slack/config.ts'
import { createTelegramSetup } from './telegram/config.ts'
import { createWebhookSetup } from './webhook/config.ts'
import { reachingInspections } from './webhook/inspections.ts'
import { createWebhookSender } from './webhook/sender.ts'

export interface ChannelsOptions {
  egress: Egress
  clock: Clock
  userAgent: string
  publicUrl: string
  inspections: Inspections
  /** Null if the installation sends no mail. */
  mail: MailTransport | null
  /** Null without a Slack app. */
  slack: Channel | null
  /** Null without a bot. */
  telegram: Channel | null
}

export function createChannels(options: ChannelsOptions): Channels {
  const reaching = reachingInspections(options.egress, options.inspections)
  const webhook: Channel = {
    kind: 'webhook',
    setup: createWebhookSetup(reaching),
    sender: createWebhookSender({ ...options, egress: reaching }),
  }
  const email: Channel[] =
    options.mail === null
      ? []
      : [
          {
            kind: 'email',
            setup: emailSetup,
            sender: createEmailSender({ transport: options.mail, clock: options.clock, publicUrl: options.publicUrl }),
          },
        ]
  const there = [webhook, ...email, ...[options.slack, options.telegram].filter((kind) => kind !== null)]
  const setups = {
    webhook: webhook.setup,
    email: emailSetup,
    slack: createSlackSetup(),
    telegram: createTelegramSetup(),
  } as Record<ChannelKind, ChannelSetup>
  return Object.assign(new Map(there.map((channel) => [channel.kind, channel])), {
    setupOf: (kind: ChannelKind) => setups[kind],
    inspections: options.inspections,
  })
}
