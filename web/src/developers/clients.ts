import type { Language } from '../kit/tokenize.ts'

/** How a client is told of the tool server. */
interface ClientSetup {
  language: Language
  code: (url: string) => string
  /** Runs at its vendor, so that it cannot reach an address of this machine. */
  isRemote?: boolean
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

const pasted = { language: 'text', code: (url: string) => url, isRemote: true } as const

/** Set-ups by client. All but the last sign in with OAuth at the first call. */
export const CLIENTS = {
  claudeCode: { language: 'shell', code: (url) => `claude mcp add --transport http earshot ${url}` },
  claude: pasted,
  chatgpt: pasted,
  cursor: { language: 'json', code: (url) => json({ mcpServers: { earshot: { url } } }) },
  vscode: { language: 'json', code: (url) => json({ servers: { earshot: { type: 'http', url } } }) },
  codex: { language: 'text', code: (url) => `[mcp_servers.earshot]\nurl = "${url}"` },
  gemini: { language: 'shell', code: (url) => `gemini mcp add --transport http earshot ${url}` },
  key: {
    language: 'json',
    code: (url) =>
      json({ mcpServers: { earshot: { type: 'http', url, headers: { Authorization: 'Bearer YOUR_API_KEY' } } } }),
  },
} as const satisfies Record<string, ClientSetup>

export type ClientName = keyof typeof CLIENTS
export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]

export function setupFor(client: ClientName, url: string): { language: Language; code: string; isRemote: boolean } {
  const { language, code, isRemote = false }: ClientSetup = CLIENTS[client]
  return { language, code: code(language === 'shell' ? quoted(url) : url), isRemote }
}

/** A question mark is a pattern of shells. */
function quoted(url: string): string {
  return url.includes('?') ? `'${url}'` : url
}

/** The address of the tool server, which shows a short list that leads to all tools, or all of them. */
export function toolServerUrl(origin: string, all: boolean): string {
  return `${origin}/mcp${all ? '?tools=all' : ''}`
}

/** Whether only this machine or its network can reach the host. */
export function isPrivateHost(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(host) || !host.includes('.')
}
