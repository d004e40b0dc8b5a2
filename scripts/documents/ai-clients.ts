import { clientNames, clientSteps } from '../../web/src/developers/client-words.ts'
import { CLIENT_NAMES, setupFor, toolServerUrl } from '../../web/src/developers/clients.ts'

/** A chapter for each client, from the definition that the dashboard shows. */
export function clientSetups(): string {
  const url = toolServerUrl('http://localhost:4400', false)
  return CLIENT_NAMES.map((client) => {
    const { signIn, withKey, isRemote, source } = setupFor(client, url)
    const block = (title: string, snippet: typeof signIn) =>
      snippet === null ? [] : [title, `\`\`\`${LANGUAGES[snippet.language]}\n${snippet.code}\n\`\`\``]
    return [
      `## ${clientNames[client]}`,
      clientSteps[client],
      ...(isRemote ? ['It runs at its vendor and needs an address on the internet.'] : []),
      ...block('With sign-in:', signIn),
      ...block('With a key:', withKey),
      `Written from [its documentation](${source}).`,
    ].join('\n\n')
  }).join('\n\n')
}

const LANGUAGES = { shell: 'sh', json: 'json', text: 'text' } as Readonly<Record<string, string>>
