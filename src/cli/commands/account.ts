import { type Command, InvalidArgumentError } from 'commander'
import type { LoginOptions } from '../account/login.ts'
import { PROFILE_NAME } from '../account/profiles.ts'
import type { Cli } from '../kit/cli.ts'
import { printFacts, printValue } from '../kit/output.ts'
import { clientCommand, examples, readingCommand, withSession } from './shared.ts'

export function addAccountCommands(program: Command, cli: Cli): void {
  examples(
    program
      .command('login')
      .description('sign in to an installation: in a browser, or with an API key for machines')
      .argument('[url]', 'address of the installation; default: EARSHOT_URL, else http://localhost:4400')
      .option('--key <key>', 'store this API key (ref_...) instead; - reads the key from standard input')
      .option('--profile <name>', 'name to store the login under', profileName, 'default')
      .option('--no-browser', 'print the address instead of opening a browser')
      .action(async (url: string | undefined, options: LoginOptions) =>
        (await import('../account/login.ts')).login(cli, url, options),
      ),
    [
      'earshot login https://earshot.example.com',
      'earshot login https://earshot.example.com --profile work',
      'earshot login https://earshot.example.com --key - < key.txt',
    ],
  )
  const out = program
    .command('logout')
    .description('end a login: its tokens at the installation, and what is stored here')
    .option('--profile <name>', 'name of the login; default: the current one')
    .option('--all', 'end every login')
    .action(async (options: { profile?: string; all?: true }) =>
      (await import('../account/login.ts')).logout(cli, options),
    )
  examples(out, ['earshot logout', 'earshot logout --profile work'])
  const profiles = program
    .command('profiles')
    .description('list the logins, or choose the current one')
    .argument('[name]', 'name of the login that commands use from now on')
    .option('--json', 'print JSON, one value a line')
    .action(async (name: string | undefined, options: { json?: true }) =>
      (await import('../account/login.ts')).profiles(cli, name, options),
    )
  examples(profiles, ['earshot profiles', 'earshot profiles work'])
  const who = readingCommand(program, 'whoami', 'show the workspace, the credential and its scope', false).action(
    withSession(cli, async ({ client, url, profile }, options) => {
      const me = await client.whoami()
      if (options.json) return printValue(cli, me)
      await printFacts(cli, [
        ['workspace', `${me.workspace.name} (${me.workspace.id})`],
        ['person', me.user === null ? null : `${me.user.name} <${me.user.email}>`],
        ['credential', `${me.auth.kind === 'api_key' ? 'API key' : 'sign-in'}, ${me.auth.scope} scope`],
        ['installation', url],
        ['profile', profile ?? 'none: --key or EARSHOT_API_KEY'],
      ])
    }),
  )
  examples(who, ['earshot whoami', 'earshot whoami --profile work'])
  addApi(program, cli)
}

function profileName(text: string): string {
  if (!PROFILE_NAME.test(text))
    throw new InvalidArgumentError('must have 1 to 40 letters, digits, dots, hyphens or underscores')
  return text
}

function addApi(program: Command, cli: Cli): void {
  examples(
    clientCommand(program, 'api', 'send any request of the API and print the answer')
      .argument('<method>', 'GET, POST, PATCH, PUT or DELETE')
      .argument('<path>', 'path with its parameters, such as /v1/keywords?sort=term')
      .option('-d, --data <json>', 'body as JSON; @file reads a file, - standard input')
      .option('-f, --field <name=value>', 'field of the body, as text or JSON; may be repeated', collected, [])
      .option('-i, --include', 'print the status and the headers of the answer on standard error')
      .action(
        withSession(cli, async ({ client }, options, method: string, path: string) =>
          (await import('./api.ts')).sendRequest(cli, client, { method, path, ...options } as never),
        ),
      ),
    [
      "earshot api GET '/v1/mentions?relevant=true&limit=5'",
      'earshot api POST /v1/keywords -f term=Acme -f kind=brand',
      'earshot api PATCH /v1/company -d @company.json',
    ],
  )
}

function collected(text: string, before: readonly string[]): string[] {
  if (!/^[\w.]+=/.test(text)) throw new InvalidArgumentError('must have the form name=value')
  return [...before, text]
}
