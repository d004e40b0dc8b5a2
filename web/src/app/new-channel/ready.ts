import type { Channel } from '../../api/channels.ts'

/** Whether a channel can be sent to: a chat is connected, or an address is confirmed. */
export function isReady({ enabled, config }: Channel): boolean {
  return enabled && isSetUp(config)
}

export function isSetUp(config: Channel['config']): boolean {
  if ('recipients' in config) return config.recipients.some(({ confirmedAt }) => confirmedAt !== null)
  return !('chatId' in config) || config.chatId !== null
}
