import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { canParse } from '../../kernel/can-parse.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import { MINUTE_MS, systemClock } from '../../kernel/clock.ts'
import { TimeUp, withinTime } from '../../kernel/concurrency/time-limit.ts'
import { numbered } from '../../kernel/figures.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { printList } from '../kit/output.ts'
import { installationAddress } from './installation-address.ts'
import { type Loopback, listenForCallback } from './loopback.ts'
import { discover, exchange, newState, register, requestFor, revoke } from './oauth.ts'
import { CredentialStore, type OAuthProfile, type Profile } from './profiles.ts'
import { clientFor } from './session.ts'

export interface LoginOptions {
  key?: string
  profile: string
  browser: boolean
}

/** For the person, in the browser. */
const SIGN_IN_MS = 5 * MINUTE_MS

export async function login(cli: Cli, given: string | undefined, options: LoginOptions): Promise<void> {
  const url = installationAddress(cli.env, given)
  const store = new CredentialStore(cli.env)
  const profile = options.key === undefined ? await signIn(cli, url, options) : await withKey(cli, url, options.key)
  const before = await store.change((credentials) => {
    const replaced = credentials.profiles[options.profile]
    credentials.profiles[options.profile] = profile
    credentials.current = options.profile
    return replaced
  })
  // The new login works, whatever becomes of the one that it replaces.
  const failure = before?.kind === 'oauth' ? await failureOf(revoke(before, cli)) : null
  if (failure !== null) cli.terminal.note(`The earlier sign-in was replaced but not ended: ${failure.message}`)
  cli.terminal.note(`Signed in to ${profile.workspace.name} at ${url}, stored as ${options.profile} in ${store.file}`)
}

async function withKey(cli: Cli, url: string, given: string): Promise<Profile> {
  const key = given === '-' ? (await text(cli.stdin)).trim() : given
  const { workspace } = await clientFor(cli, url, key).whoami()
  return { kind: 'key', url, key, workspace }
}

async function signIn(cli: Cli, url: string, { browser }: LoginOptions): Promise<OAuthProfile> {
  const found = await discover(url, cli)
  const state = newState()
  const loopback = await listenForCallback(state)
  try {
    const { redirectUri } = loopback
    const clientId = await register(found, redirectUri, cli)
    const { address, verifier } = await requestFor(found, { clientId, redirectUri, state })
    const opened = browser && (await cli.openBrowser(address))
    cli.terminal.note(opened ? 'A browser opens. If it does not, open this address:' : 'Open this address:')
    cli.terminal.note(`\n  ${address}\n`)
    const callback = await answerOf(cli, loopback, opened)
    const tokens = await exchange(found, { clientId, redirectUri, callback, verifier, state }, cli)
    const { workspace } = await clientFor(cli, url, tokens.accessToken).whoami()
    const { resource, server } = found
    return { kind: 'oauth', url, issuer: server.issuer, resource, clientId, workspace, ...tokens }
  } finally {
    loopback.close()
  }
}

/** By the browser of this machine, or, from another machine, by the address that its browser could not open. */
async function answerOf(cli: Cli, loopback: Loopback, opened: boolean): Promise<URL> {
  try {
    return await withinTime({ clock: systemClock, limitMs: SIGN_IN_MS, signal: cli.signal }, (signal) => {
      if (!opened && cli.stdin.isTTY === true) return arrivalOrPaste(cli, loopback, signal)
      cli.terminal.note('Waiting for the browser, for five minutes.')
      return loopback.callback
    })
  } catch (error) {
    if (!(error instanceof TimeUp)) throw error
    throw new CommandError('Nobody signed in within five minutes. Run the command again.', EXIT.notSignedIn)
  }
}

async function arrivalOrPaste(cli: Cli, loopback: Loopback, signal: AbortSignal): Promise<URL> {
  cli.terminal.note('On another machine: paste the address here that the browser ends at (http://127.0.0.1:...).')
  const reader = createInterface({ input: cli.stdin, terminal: false })
  try {
    const pasted = reader.question('', { signal }).then((line) => pastedAddress(line))
    return await Promise.race([loopback.callback, pasted])
  } finally {
    reader.close()
  }
}

function pastedAddress(line: string): URL {
  if (!canParse(line.trim())) throw new CommandError('That is no address. Run the command again.', EXIT.usage)
  return new URL(line.trim())
}

export async function logout(cli: Cli, { profile, all }: { profile?: string; all?: true }): Promise<void> {
  const store = new CredentialStore(cli.env)
  const { current, profiles } = await store.read()
  const names = all ? Object.keys(profiles) : [profile ?? current].filter((name) => name !== null)
  if (names.length === 0) throw new CommandError('Nobody is signed in.', EXIT.notSignedIn)
  const failed: CommandError[] = []
  for (const name of names) {
    const ended = profiles[name]
    if (ended === undefined) throw new CommandError(`There is no profile ${name}.`, EXIT.notFound)
    // What is stored here goes first, so that a service that is away does not keep it.
    await store.change((credentials) => {
      delete credentials.profiles[name]
      if (credentials.current === name) credentials.current = Object.keys(credentials.profiles)[0] ?? null
    })
    const failure = ended.kind === 'oauth' ? await failureOf(revoke(ended, cli)) : null
    if (failure !== null) failed.push(failure)
    const where = failure === null ? '' : ` on this machine only. ${failure.message}`
    cli.terminal.note(`Signed out of ${ended.workspace.name} at ${ended.url}${where}`)
    if (ended.kind === 'key')
      cli.terminal.note('The API key itself still works. Revoke it in the settings if it is not needed.')
  }
  const [first] = failed
  if (first !== undefined)
    throw new CommandError(
      `${numbered(failed.length, 'sign-in')} could not be ended at the installation. End them on its page /account.`,
      first.exitCode,
    )
}

async function failureOf(work: Promise<void>): Promise<CommandError | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
}

export async function profiles(cli: Cli, name: string | undefined, { json }: { json?: true }): Promise<void> {
  const store = new CredentialStore(cli.env)
  if (name !== undefined)
    return store.change((credentials) => {
      if (credentials.profiles[name] === undefined)
        throw new CommandError(`There is no profile ${name}. Run: ${COMMAND} login --profile ${name}`, EXIT.notFound)
      credentials.current = name
    })
  const { current, profiles: stored } = await store.read()
  const items = Object.entries(stored).map(([profile, { kind, url, workspace }]) => ({
    profile,
    current: profile === current,
    kind,
    workspace: workspace.name,
    url,
  }))
  await printList(
    cli,
    items,
    {
      noun: 'logins',
      columns: [
        { title: '', cell: (item) => (item.current ? '*' : '') },
        { title: 'profile', cell: (item) => item.profile },
        { title: 'with', cell: (item) => item.kind },
        { title: 'workspace', cell: (item) => item.workspace },
        { title: 'installation', cell: (item) => item.url, isFlexible: true },
      ],
    },
    json ? { json } : {},
  )
}
