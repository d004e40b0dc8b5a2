import { Agent, type Dispatcher } from 'undici'

/** Where the Bot API is and who asks it. The token stands in every path, so a path is never shown, logged or thrown. */
export interface TelegramDoor {
  origin: string
  pathOf(method: string): string
  dispatcher: Dispatcher
  close(): Promise<void>
}

export interface TelegramAccount {
  token: string
  /** Without a slash at the end. The operator's own choice, so it may be an address of this machine or network. */
  apiUrl: string
}

/** Everything that is sent goes to one host: so many connections let one slow answer hold up no other chat. */
const CONNECTIONS = 64

export function createTelegramDoor({ token, apiUrl }: TelegramAccount): TelegramDoor {
  const { origin, pathname } = new URL(apiUrl)
  const base = `${pathname.replace(/\/+$/, '')}/bot${token}/`
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  return { origin, pathOf: (method) => base + method, dispatcher, close: () => dispatcher.destroy() }
}
