import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { COMMAND } from '../../kernel/checkout.ts'
import { systemClock } from '../../kernel/clock.ts'
import { CommandError } from '../kit/exit-codes.ts'

interface ProfileBase {
  url: string
  workspace: { id: string; name: string }
}

export interface KeyProfile extends ProfileBase {
  kind: 'key'
  key: string
}

export interface OAuthProfile extends ProfileBase {
  kind: 'oauth'
  issuer: string
  resource: string
  clientId: string
  accessToken: string
  refreshToken: string
  /** In ISO 8601. */
  expiresAt: string
}

export type Profile = KeyProfile | OAuthProfile

export interface Credentials {
  current: string | null
  profiles: Record<string, Profile>
}

export const PROFILE_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i

/** A renewal holds the lock for two requests of at most 30 seconds each. */
const LOCK_STALE_MS = 75_000
/** Longer, so that the lock of a killed process is waited out. */
const LOCK_LIMIT_MS = 90_000

type Env = Readonly<Record<string, string | undefined>>

function folderIn(env: Env): string {
  const own = env['EARSHOT_CONFIG_DIR']
  if (own) return own
  const base = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(base || join(env['HOME'] || homedir(), '.config'), 'earshot')
}

/** The credentials of a person on this machine, in a file that only they may read. */
export class CredentialStore {
  readonly file: string
  private readonly folder: string

  constructor(env: Env) {
    this.folder = folderIn(env)
    this.file = join(this.folder, 'credentials.json')
  }

  async read(): Promise<Credentials> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw new CommandError(`${this.file} cannot be read (${error.code}).`)
    })
    if (text === null) return { current: null, profiles: {} }
    try {
      const { current, profiles } = JSON.parse(text) as Credentials
      if (typeof profiles === 'object' && profiles !== null) return { current: current ?? null, profiles }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    throw new CommandError(`${this.file} is damaged. Remove it and run: ${COMMAND} login`)
  }

  /** Changes the newest state, one process at a time, in one step. */
  async change<Result>(act: (credentials: Credentials) => Promise<Result> | Result): Promise<Result> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const unlock = await this.lock()
    try {
      const credentials = await this.read()
      const result = await act(credentials)
      const next = `${this.file}.${randomBytes(6).toString('hex')}`
      await writeFile(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
      await chmod(next, 0o600)
      await rename(next, this.file)
      return result
    } finally {
      await unlock()
    }
  }

  /** A refresh token works once, so that two processes must not use the same. */
  private async lock(): Promise<() => Promise<void>> {
    const file = `${this.file}.lock`
    for (const begun = systemClock.now().getTime(); ; ) {
      const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return null
        throw new CommandError(`${this.folder} cannot be written (${error.code}).`)
      })
      if (handle !== null) {
        await handle.close()
        return () => rm(file, { force: true })
      }
      const age = await stat(file).then(
        ({ mtimeMs }) => systemClock.now().getTime() - mtimeMs,
        () => 0,
      )
      // A process that was killed leaves its lock.
      if (age > LOCK_STALE_MS) await rm(file, { force: true })
      else if (systemClock.now().getTime() - begun > LOCK_LIMIT_MS)
        throw new CommandError(`Another earshot holds ${file}. Remove the file if none is running.`)
      else await systemClock.wait(50)
    }
  }
}
