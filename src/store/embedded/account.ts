import { type SpawnOptions, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

export interface SystemAccount {
  readonly uid: number
  readonly gid: number
}

export type Launch = (
  program: string,
  args: readonly string[],
) => { file: string; args: string[]; options: SpawnOptions }

const NOBODY: SystemAccount = { uid: 65534, gid: 65534 }

/** To enter closed folders and read what is in them; allows no change. */
const CAPABILITY = 'dac_read_search'

/**
 * PostgreSQL refuses root, so root uses the owner of an existing database, else `postgres`, else `nobody`. The user
 * must have a name, which initdb asks for.
 */
export function serverAccount(cluster: string): SystemAccount | null {
  if (process.getuid?.() !== 0) return null
  const existing = statSync(cluster, { throwIfNoEntry: false })
  if (existing && existing.uid !== 0) return existing
  const users = namedUsers()
  return users.find(({ name }) => name === 'postgres') ?? users.find(({ uid }) => uid === NOBODY.uid) ?? NOBODY
}

export interface Needs {
  readonly execute: readonly string[]
  readonly read: readonly string[]
}

export interface LaunchWay {
  readonly launch: Launch
  readonly lends: boolean
}

/**
 * A parent folder may be closed to `account`, as /root and most temporary folders are; then the server gets the one
 * capability that opens it. Null when no launch works.
 */
export function findWay(account: SystemAccount | null, needs: Needs): LaunchWay | null {
  if (account === null) return { launch: direct(undefined), lends: false }
  const ways: LaunchWay[] = [
    { launch: direct(account), lends: false },
    { launch: withCapability(account), lends: true },
  ]
  return ways.find(({ launch }) => allows(launch, needs)) ?? null
}

function direct(account: SystemAccount | undefined): Launch {
  return (program, args) => ({
    file: program,
    args: [...args],
    options: account ? { uid: account.uid, gid: account.gid } : {},
  })
}

/** Without `no_setuid_fixup` the programs' access(2) ignores the capability. */
function withCapability({ uid, gid }: SystemAccount): Launch {
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

function namedUsers(): (SystemAccount & { name: string })[] {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  return lines.flatMap(([name, , uid, gid]) =>
    name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
  )
}
