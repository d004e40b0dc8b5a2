import type { Language } from '../kit/tokenize.ts'

/** How a client is told of the tool server. */
export interface ClientSetup {
  id: string
  name: string
  /** What a person does, in a sentence. */
  step: string
  code: string
  language: Language
  /** Runs at its vendor, so that it cannot reach an address of this machine. */
  isRemote?: boolean
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Set-ups by client. All but the last sign in with OAuth at the first call. */
export function setupsFor(url: string): readonly ClientSetup[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      step: 'Run this command, then /mcp in a session to sign in.',
      code: `claude mcp add --transport http earshot ${url}`,
      language: 'shell',
    },
    {
      id: 'claude',
      name: 'Claude',
      step: 'Settings, Connectors, Add custom connector: paste the address.',
      code: url,
      language: 'text',
      isRemote: true,
    },
    {
      id: 'chatgpt',
      name: 'ChatGPT',
      step: 'Settings, Apps and connectors, with developer mode on: create one with this address.',
      code: url,
      language: 'text',
      isRemote: true,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      step: 'Put this into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project.',
      code: json({ mcpServers: { earshot: { url } } }),
      language: 'json',
    },
    {
      id: 'vscode',
      name: 'VS Code',
      step: 'Put this into .vscode/mcp.json of a project.',
      code: json({ servers: { earshot: { type: 'http', url } } }),
      language: 'json',
    },
    {
      id: 'codex',
      name: 'Codex',
      step: 'Put this into ~/.codex/config.toml, then run “codex mcp login earshot”.',
      code: `[mcp_servers.earshot]\nurl = "${url}"`,
      language: 'text',
    },
    {
      id: 'gemini',
      name: 'Gemini CLI',
      step: 'Run this command, then /mcp auth earshot in a session to sign in.',
      code: `gemini mcp add --transport http earshot ${url}`,
      language: 'shell',
    },
    {
      id: 'key',
      name: 'Other, with a key',
      step: 'For clients without sign-in. Most take this form; a key with read scope sees read tools only.',
      code: json({
        mcpServers: { earshot: { type: 'http', url, headers: { Authorization: 'Bearer YOUR_API_KEY' } } },
      }),
      language: 'json',
    },
  ]
}

/** The address of the tool server, which shows a short list that leads to all tools, or all of them. */
export function toolServerUrl(origin: string, all: boolean): string {
  return `${origin}/mcp${all ? '?tools=all' : ''}`
}

/** Whether only this machine or its network can reach the host. */
export function isPrivateHost(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(host) || !host.includes('.')
}
