import { type Client, createClient } from '../../client/index.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { installationAddress } from './installation-address.ts'
import { CredentialStore, type OAuthProfile } from './profiles.ts'

/** Options that every command of a client takes. */
export interface ConnectionOptions {
  profile?: string
  url?: string
  key?: string
}

export interface Session {
  client: Client
  url: string
  /** Null when the credential came from an option or the environment. */
  profile: string | null
}

/** A token that ends within this time is renewed first. */
const SOON_MS = 60_000

/** By the options, then by the environment, then by the profile. */
export async function connect(cli: Cli, options: ConnectionOptions): Promise<Session> {
  const { env } = cli
  const key = options.key ?? (options.profile === undefined ? env['EARSHOT_API_KEY'] : undefined)
  const store = new CredentialStore(env)
  if (key) {
    const url = installationAddress(env, options.url)
    return { client: clientFor(cli, url, key), url, profile: null }
  }
  const credentials = await store.read()
  const name = options.profile ?? env['EARSHOT_PROFILE'] ?? credentials.current
  const profile = name === null ? undefined : credentials.profiles[name]
  if (name === null || profile === undefined)
    throw new CommandError(
      name === null
        ? `Nobody is signed in. Run: ${COMMAND} login`
        : `There is no profile ${name}. Run: ${COMMAND} login --profile ${name}`,
      EXIT.notSignedIn,
    )
  if (options.url !== undefined && installationAddress(env, options.url) !== profile.url)
    throw new CommandError(
      `--url: the profile ${name} belongs to ${profile.url}. Use another --profile, or --key with this address.`,
      EXIT.usage,
    )
  if (profile.kind === 'key')
    return { client: clientFor(cli, profile.url, profile.key), url: profile.url, profile: name }
  const held = { store, name, profile }
  return {
    client: clientFor(cli, profile.url, (refused) => tokenOf(cli, held, refused)),
    url: profile.url,
    profile: name,
  }
}

export function clientFor(cli: Cli, url: string, apiKey: Parameters<typeof createClient>[0]['apiKey'] & {}): Client {
  return createClient({
    url,
    apiKey,
    fetch: cli.fetch,
    headers: { 'user-agent': cli.agent },
    onRetry: ({ error, waitMs }) => {
      if (waitMs >= 2000) cli.terminal.progress(`${error.message} Trying again in ${Math.ceil(waitMs / 1000)} seconds.`)
    },
  })
}

interface Held {
  store: CredentialStore
  name: string
  profile: OAuthProfile
}

/** The access token, renewed when it ends soon or was refused. Another process may have renewed it meanwhile. */
async function tokenOf(cli: Cli, held: Held, refused: string | null): Promise<string> {
  const isGood = ({ accessToken, expiresAt }: OAuthProfile) =>
    accessToken !== refused && new Date(expiresAt).getTime() - cli.now().getTime() > SOON_MS
  if (isGood(held.profile)) return held.profile.accessToken
  const { refresh } = await import('./oauth.ts')
  held.profile = await held.store.change(async ({ profiles }) => {
    const newest = profiles[held.name]
    if (newest?.kind !== 'oauth')
      throw new CommandError(`The sign-in has ended. Run: ${COMMAND} login`, EXIT.notSignedIn)
    if (newest.url !== held.profile.url || newest.workspace.id !== held.profile.workspace.id)
      throw new CommandError(
        `The profile ${held.name} belongs to ${newest.workspace.name} at ${newest.url} now. Run the command again.`,
        EXIT.notSignedIn,
      )
    if (isGood(newest)) return newest
    const renewed = { ...newest, ...(await refresh(newest, cli)) }
    profiles[held.name] = renewed
    return renewed
  })
  return held.profile.accessToken
}
