import type { ClientName } from './clients.ts'

export const clientNames: Readonly<Record<ClientName, string>> = {
  claudeCode: 'Claude Code',
  claude: 'Claude (web, desktop, phone)',
  claudeDesktop: 'Claude Desktop, local address',
  chatgpt: 'ChatGPT',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  zed: 'Zed',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  librechat: 'LibreChat',
  n8n: 'n8n',
  key: 'Other, with a key',
}

/** What to do with the set-up. */
export const clientSteps: Readonly<Record<ClientName, string>> = {
  claudeCode: 'Run this command. To sign in, run /mcp in a session.',
  claude: 'Settings, Connectors, Add custom connector: paste the address.',
  claudeDesktop:
    'Settings, Developer, Edit Config: put this into claude_desktop_config.json, restart Claude. It needs Node.js.',
  chatgpt: 'Settings, Apps, Advanced settings: turn on developer mode. Create an app with this address and OAuth.',
  cursor: 'Put this into ~/.cursor/mcp.json, or into .cursor/mcp.json of a project.',
  vscode: 'Put this into .vscode/mcp.json of a project. VS Code asks for a key once and stores it.',
  windsurf: 'Put this into ~/.codeium/windsurf/mcp_config.json and refresh the list of servers.',
  zed: 'Put this into the settings file (zed: open settings file). Zed uses tools and prompts.',
  codex: 'Run these commands, or put the table into ~/.codex/config.toml. Codex reads a key from EARSHOT_API_KEY.',
  gemini: 'Run this command. To sign in, run /mcp auth earshot in a session.',
  librechat: 'Put this into librechat.yaml and start LibreChat again. Each person enters their own key.',
  n8n: 'Add an MCP Client Tool node with transport HTTP Streamable, this endpoint, and Bearer or OAuth2.',
  key: 'For clients without sign-in. Most take this form. A key with read scope sees read tools only.',
}
