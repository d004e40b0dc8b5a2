import { Agent, type Dispatcher } from 'undici'

/** Every path holds the token, so paths are never shown, logged or thrown. */
export interface TelegramClient {
  origin: string
  pathOf(method: string): string
  dispatcher: Dispatcher
  close(): Promise<void>
}

export interface TelegramAccount {
  token: string
  /** No trailing slash. May be on this machine or network. */
  apiUrl: string
}

/** A slow reply must not delay other chats. */
const CONNECTIONS = 64

export function createTelegramClient({ token, apiUrl }: TelegramAccount): TelegramClient {
  const { origin, pathname } = new URL(apiUrl)
  const base = `${pathname.replace(/\/+$/, '')}/bot${token}/`
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  return { origin, pathOf: (method) => base + method, dispatcher, close: () => dispatcher.destroy() }
}
