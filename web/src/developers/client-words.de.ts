import type { Translation } from '../kit/translation.ts'
import type { clientNames as englishNames, clientSteps as englishSteps } from './client-words.ts'

export const clientNames: Translation<typeof englishNames> = {
  claudeCode: 'Claude Code',
  claude: 'Claude (Web, Desktop, Handy)',
  claudeDesktop: 'Claude Desktop, lokale Adresse',
  chatgpt: 'ChatGPT',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  zed: 'Zed',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  librechat: 'LibreChat',
  n8n: 'n8n',
  key: 'Andere, mit Schlüssel',
}

/** Names of menus stay as the clients write them. */
export const clientSteps: Translation<typeof englishSteps> = {
  claudeCode: 'Führe diesen Befehl aus. Zum Anmelden führe in einer Sitzung /mcp aus.',
  claude: 'Settings, Connectors, Add custom connector: Füge dort die Adresse ein.',
  claudeDesktop:
    'Settings, Developer, Edit Config: Schreibe das in claude_desktop_config.json und starte Claude neu. ' +
    'Dafür braucht es Node.js.',
  chatgpt:
    'Settings, Apps, Advanced settings: Schalte den Developer Mode ein. Lege eine App mit dieser Adresse und OAuth an.',
  cursor: 'Schreibe das in ~/.cursor/mcp.json, oder in .cursor/mcp.json eines Projekts.',
  vscode:
    'Schreibe das in .vscode/mcp.json eines Projekts. VS Code fragt einmal nach einem Schlüssel und speichert ihn.',
  windsurf: 'Schreibe das in ~/.codeium/windsurf/mcp_config.json und lade die Liste der Server neu.',
  zed: 'Schreibe das in die Einstellungsdatei (zed: open settings file). Zed nutzt Tools und Prompts.',
  codex:
    'Führe diese Befehle aus, oder schreibe die Tabelle in ~/.codex/config.toml. Codex liest einen Schlüssel aus ' +
    'EARSHOT_API_KEY.',
  gemini: 'Führe diesen Befehl aus. Zum Anmelden führe in einer Sitzung /mcp auth earshot aus.',
  librechat: 'Schreibe das in librechat.yaml und starte LibreChat neu. Jede Person gibt ihren eigenen Schlüssel ein.',
  n8n:
    'Füge einen Knoten MCP Client Tool mit Transport HTTP Streamable, diesem Endpunkt und Bearer oder OAuth2 zur ' +
    'Anmeldung hinzu.',
  key:
    'Für Clients ohne Anmeldung. Die meisten nehmen diese Form. Ein Schlüssel mit Leserecht sieht nur lesende ' +
    'Tools.',
}
