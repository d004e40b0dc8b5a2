import { type SpawnOptions, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** The user of the operating system as whom the server runs; null for the one who runs this process. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** How to run one of the server's programs. */
export type Launch = (
  program: string,
  args: readonly string[],
) => { file: string; args: string[]; options: SpawnOptions }

const NOBODY: Account = { uid: 65534, gid: 65534 }

/**
 * The right to pass folders that are closed to a user, and to read what is in them. It allows no change of anything.
 */
const CAPABILITY = 'dac_read_search'

/**
 * PostgreSQL refuses to run as root, so root lends it another user: the owner of an existing database, else `postgres`,
 * else `nobody`. It has to be a user with a name, which initdb asks for.
 */
export function serverAccount(cluster: string): Account | null {
  if (process.getuid?.() !== 0) return null
  const existing = statSync(cluster, { throwIfNoEntry: false })
  if (existing && existing.uid !== 0) return existing
  const users = namedUsers()
  return users.find(({ name }) => name === 'postgres') ?? users.find(({ uid }) => uid === NOBODY.uid) ?? NOBODY
}

/** What the server's user must be able to do: run programs or pass through folders, and read files. */
export interface Needs {
  readonly execute: readonly string[]
  readonly read: readonly string[]
}

/** How a program is run, and whether that takes a right that its user does not have by itself. */
export interface Way {
  readonly launch: Launch
  readonly lends: boolean
}

/**
 * Finds a way in which `account` can do what it must. A folder above the paths may be closed to it, as /root and most
 * temporary folders are; then the server gets the one capability that opens them. Null when there is no way.
 */
export function findWay(account: Account | null, needs: Needs): Way | null {
  if (account === null) return { launch: direct(undefined), lends: false }
  const ways: Way[] = [
    { launch: direct(account), lends: false },
    { launch: withCapability(account), lends: true },
  ]
  return ways.find(({ launch }) => allows(launch, needs)) ?? null
}

function direct(account: Account | undefined): Launch {
  return (program, args) => ({
    file: program,
    args: [...args],
    options: account ? { uid: account.uid, gid: account.gid } : {},
  })
}

/** Keeping the set-uid fix-up off matters: with it the programs' own access(2) checks would ignore the capability. */
function withCapability({ uid, gid }: Account): Launch {
  const rights = [
    '--securebits',
    '+no_setuid_fixup',
    '--inh-caps',
    `+${CAPABILITY}`,
    '--ambient-caps',
    `+${CAPABILITY}`,
  ]
  return (program, args) => ({
    file: 'setpriv',
    args: ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', ...rights, '--', program, ...args],
    options: {},
  })
}

function allows(launch: Launch, { execute, read }: Needs): boolean {
  const tests = [...execute.flatMap((path) => ['-x', path]), ...read.flatMap((path) => ['-r', path])]
  const { file, args, options } = launch('/bin/sh', [
    '-c',
    'while [ $# -gt 0 ]; do test "$1" "$2" || exit 1; shift 2; done',
    'sh',
    ...tests,
  ])
  return spawnSync(file, args, { ...options, cwd: '/', stdio: 'ignore', timeout: 10_000 }).status === 0
}

function namedUsers(): (Account & { name: string })[] {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  return lines.flatMap(([name, , uid, gid]) =>
    name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
  )
}
