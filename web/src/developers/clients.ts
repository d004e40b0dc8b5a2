import type { Language } from '../kit/tokenize.ts'

interface Snippet {
  language: Language
  code: (url: string) => string
}

/** How a client is told of the tool server. */
interface ClientSetup {
  /** Signs in with OAuth at the first call. Absent for a client that takes keys only. */
  signIn?: Snippet
  /** Absent for a client that takes no key. */
  withKey?: Snippet
  /** Runs at its vendor, so that it cannot reach an address of this machine. */
  isRemote?: boolean
  /** The vendor's page that the set-up was written from. */
  source: string
}

const KEY = 'YOUR_API_KEY'
const BEARER = { Authorization: `Bearer ${KEY}` }

function json(build: (url: string) => unknown): Snippet {
  return { language: 'json', code: (url) => JSON.stringify(build(url), null, 2) }
}

function lines(language: Language, build: (url: string) => string[]): Snippet {
  return { language, code: (url) => build(language === 'shell' ? quoted(url) : url).join('\n') }
}

/** A question mark is a pattern of shells. */
function quoted(url: string): string {
  return url.includes('?') ? `'${url}'` : url
}

/** mcp-remote takes http only for this machine unless it is told so. */
function allowHttp(url: string): string[] {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : []
}

const pasted = lines('text', (url) => [url])

/** The one definition of set-ups, for the page of developers and for the guide. */
export const CLIENTS = {
  claudeCode: {
    signIn: lines('shell', (url) => [`claude mcp add --transport http earshot ${url}`]),
    withKey: lines('shell', (url) => [
      `claude mcp add --transport http earshot ${url} \\`,
      `  --header "Authorization: Bearer ${KEY}"`,
    ]),
    source: 'https://code.claude.com/docs/en/mcp',
  },
  claude: {
    signIn: pasted,
    isRemote: true,
    source: 'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  },
  claudeDesktop: {
    withKey: json((url) => ({
      mcpServers: {
        earshot: {
          command: 'npx',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in from the environment
          args: ['-y', 'mcp-remote', url, ...allowHttp(url), '--header', 'Authorization:${EARSHOT_AUTH}'],
          env: { EARSHOT_AUTH: `Bearer ${KEY}` },
        },
      },
    })),
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  },
  chatgpt: { signIn: pasted, isRemote: true, source: 'https://developers.openai.com/api/docs/guides/developer-mode' },
  cursor: {
    signIn: json((url) => ({ mcpServers: { earshot: { url } } })),
    withKey: json((url) => ({ mcpServers: { earshot: { url, headers: BEARER } } })),
    source: 'https://cursor.com/docs/context/mcp',
  },
  vscode: {
    signIn: json((url) => ({ servers: { earshot: { type: 'http', url } } })),
    withKey: json((url) => ({
      inputs: [{ type: 'promptString', id: 'earshot-key', description: 'API key of Earshot', password: true }],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
      servers: { earshot: { type: 'http', url, headers: { Authorization: 'Bearer ${input:earshot-key}' } } },
    })),
    source: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  },
  windsurf: {
    signIn: json((url) => ({ mcpServers: { earshot: { serverUrl: url } } })),
    withKey: json((url) => ({ mcpServers: { earshot: { serverUrl: url, headers: BEARER } } })),
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  zed: {
    signIn: json((url) => ({ context_servers: { earshot: { url } } })),
    withKey: json((url) => ({ context_servers: { earshot: { url, headers: BEARER } } })),
    source: 'https://zed.dev/docs/ai/mcp',
  },
  codex: {
    signIn: lines('shell', (url) => [`codex mcp add earshot --url ${url}`, 'codex mcp login earshot']),
    withKey: lines('text', (url) => [
      '[mcp_servers.earshot]',
      `url = "${url}"`,
      'bearer_token_env_var = "EARSHOT_API_KEY"',
    ]),
    source: 'https://developers.openai.com/codex/mcp',
  },
  gemini: {
    signIn: lines('shell', (url) => [`gemini mcp add --scope user --transport http earshot ${url}`]),
    withKey: lines('shell', (url) => [
      'gemini mcp add --scope user --transport http \\',
      `  --header "Authorization: Bearer ${KEY}" earshot ${url}`,
    ]),
    source: 'https://geminicli.com/docs/tools/mcp-server/',
  },
  librechat: {
    withKey: lines('text', (url) => [
      'mcpServers:',
      '  earshot:',
      '    type: streamable-http',
      `    url: ${url}`,
      '    headers:',
      "      Authorization: 'Bearer {{EARSHOT_API_KEY}}'",
      '    customUserVars:',
      '      EARSHOT_API_KEY:',
      "        title: 'Earshot API key'",
      "        description: 'A key of your workspace (ref_...)'",
    ]),
    source: 'https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers',
  },
  n8n: {
    signIn: pasted,
    withKey: lines('text', (url) => [url, `Bearer token: ${KEY}`]),
    source: 'https://docs.n8n.io/integrations/builtin/cluster-nodes/sub-nodes/n8n-nodes-langchain.toolmcp/',
  },
  key: {
    withKey: json((url) => ({ mcpServers: { earshot: { type: 'http', url, headers: BEARER } } })),
    source: 'https://modelcontextprotocol.io/clients',
  },
} as const satisfies Record<string, ClientSetup>

export type ClientName = keyof typeof CLIENTS
export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[]

export interface Setup {
  signIn: { language: Language; code: string } | null
  withKey: { language: Language; code: string } | null
  isRemote: boolean
  source: string
}

export function setupFor(client: ClientName, url: string): Setup {
  const { signIn, withKey, isRemote = false, source }: ClientSetup = CLIENTS[client]
  const shown = (snippet: Snippet | undefined) =>
    snippet === undefined ? null : { language: snippet.language, code: snippet.code(url) }
  return { signIn: shown(signIn), withKey: shown(withKey), isRemote, source }
}

/** The address of the tool server, which shows a short list that leads to all tools, or all of them. */
export function toolServerUrl(origin: string, all: boolean): string {
  return `${origin}/mcp${all ? '?tools=all' : ''}`
}

/** Whether only this machine or its network can reach the host. */
export function isPrivateHost(host: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)/.test(host) || !host.includes('.')
}
