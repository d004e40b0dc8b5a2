import { Agent, type Dispatcher } from 'undici'

/** The Bot API's address and caller. Every path holds the token, so paths are never shown, logged or thrown. */
export interface TelegramDoor {
  origin: string
  pathOf(method: string): string
  dispatcher: Dispatcher
  close(): Promise<void>
}

export interface TelegramAccount {
  token: string
  /** Without a trailing slash. The operator's address may be on this machine or network. */
  apiUrl: string
}

/** All messages go to one host: several connections keep a slow reply from delaying other chats. */
const CONNECTIONS = 64

export function createTelegramDoor({ token, apiUrl }: TelegramAccount): TelegramDoor {
  const { origin, pathname } = new URL(apiUrl)
  const base = `${pathname.replace(/\/+$/, '')}/bot${token}/`
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  return { origin, pathOf: (method) => base + method, dispatcher, close: () => dispatcher.destroy() }
}
