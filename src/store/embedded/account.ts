import { type SpawnOptions, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** The user of the operating system as whom the server runs; null for the one who runs this process. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** How to run one of the server's programs. */
export type Launch = (program: string, args: readonly string[]) => { file: string; args: string[]; options: SpawnOptions }

const NOBODY: Account = { uid: 65534, gid: 65534 }

/** Lets a user pass folders that are closed to it; the second is for systems whose containers lack the first. */
const CAPABILITIES = ['dac_read_search', 'dac_override']

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

/**
 * Finds a way in which `account` can do what it must. A folder above the paths may be closed to it, as /root and most
 * temporary folders are; then the server gets the one capability that opens them. Null when there is no way.
 */
export function findLaunch(account: Account | null, needs: Needs): Launch | null {
  if (account === null) return direct(undefined)
  return [direct(account), ...CAPABILITIES.map((capability) => withCapability(account, capability))].find((way) => allows(way, needs)) ?? null
}

function direct(account: Account | undefined): Launch {
  return (program, args) => ({ file: program, args: [...args], options: account ? { uid: account.uid, gid: account.gid } : {} })
}

/** Keeping the set-uid fix-up off matters: with it the programs' own access(2) checks would ignore the capability. */
function withCapability({ uid, gid }: Account, capability: string): Launch {
  const rights = ['--securebits', '+no_setuid_fixup', '--inh-caps', `+${capability}`, '--ambient-caps', `+${capability}`]
  return (program, args) => ({
    file: 'setpriv',
    args: ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', ...rights, '--', program, ...args],
    options: {},
  })
}

function allows(launch: Launch, { execute, read }: Needs): boolean {
  const tests = [...execute.flatMap((path) => ['-x', path]), ...read.flatMap((path) => ['-r', path])]
  const { file, args, options } = launch('/bin/sh', ['-c', 'while [ $# -gt 0 ]; do test "$1" "$2" || exit 1; shift 2; done', 'sh', ...tests])
  return spawnSync(file, args, { ...options, cwd: '/', stdio: 'ignore', timeout: 10_000 }).status === 0
}

function namedUsers(): (Account & { name: string })[] {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  return lines.flatMap(([name, , uid, gid]) => (name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
}
