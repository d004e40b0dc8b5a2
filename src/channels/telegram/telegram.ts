import type { Clock } from '../../kernel/clock.ts'
import type { Channel, TelegramBot } from '../contract.ts'
import { createTelegramBot } from './bot.ts'
import { createTelegramClient, type TelegramAccount } from './client.ts'
import { createTelegramSetup, type TelegramDestination, type TelegramInput } from './config.ts'
import { createTelegramSender, type TelegramConfig, type TelegramRequest } from './sender.ts'

export interface TelegramOptions extends TelegramAccount {
  /** Sent with every update; null for one derived from the token. */
  webhookSecret: string | null
  publicUrl: string
  clock: Clock
}

export interface Telegram {
  channel: Channel
  bot: TelegramBot
}

/** Bot and channel share connections, which close with the bot. */
export function createTelegram({ clock, publicUrl, ...account }: TelegramOptions): Telegram {
  const client = createTelegramClient(account)
  const channel: Channel<TelegramInput, TelegramDestination, TelegramConfig, TelegramRequest> = {
    kind: 'telegram',
    setup: createTelegramSetup(),
    sender: createTelegramSender({ client, clock, publicUrl }),
  }
  return { channel: channel as Channel, bot: createTelegramBot({ ...account, client, clock }) }
}
