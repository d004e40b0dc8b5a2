import { StartError } from '../kernel/start-error.ts'
import type { Settings } from './settings.ts'

/**
 * What a process does. `api` serves the REST interface; `collect` reads platforms, matches and stores; `work` scores,
 * delivers and runs jobs; `all` does these and alone may use the built-in database. `gather` publishes live platforms
 * to the post stream. `door` stands before several installations and needs no database.
 */
export const PROCESS_ROLES = ['all', 'api', 'collect', 'work', 'gather', 'door'] as const
export type ProcessRole = (typeof PROCESS_ROLES)[number]
/** A role with a database. */
export type ServiceRole = Exclude<ProcessRole, 'door'>

export const serves = (role: ProcessRole) => role === 'all' || role === 'api'
export const collects = (role: ProcessRole) => role === 'all' || role === 'collect'
/** Secrets are sealed and opened by the key, and those who collect know erased authors by it. */
export const usesKey = (role: ProcessRole) => role !== 'gather'
export const works = (role: ProcessRole) => role === 'all' || role === 'work'

type Shared = Pick<Settings, 'databaseUrl' | 'secretKey' | 'postStream' | 'cells' | 'cellsSecret'>

/** Throws StartError for settings that other processes cannot share. */
export function checkRole(role: ProcessRole, settings: Shared): void {
  if (role === 'all') return
  if (role === 'door') {
    checkDoor(settings)
    return
  }
  const { databaseUrl, secretKey, postStream } = settings
  const problems = []
  if (databaseUrl === null)
    problems.push(
      `DATABASE_URL: must be set for --role ${role}; the built-in database belongs to one process. Start without ` +
        '--role, or share a PostgreSQL.',
    )
  if (secretKey === null && usesKey(role))
    problems.push(
      `EARSHOT_SECRET_KEY: must be set for --role ${role}, to the same key for every process; secrets of ` +
        'channels, links of invitations and waiting mails are sealed with it.',
    )
  if (postStream === null && role === 'gather')
    problems.push('POST_STREAM_URL: must be set for --role gather, to the NATS server that takes the posts.')
  if (problems.length > 0) throw new StartError(problems.join('\n'))
}

function checkDoor({ cells, cellsSecret }: Shared): void {
  const problems = []
  if (cells.length === 0) problems.push('CELLS: must be set for --role door, to the cells behind it as name=address.')
  if (cellsSecret === null)
    problems.push('CELLS_SECRET: must be set for --role door, to the same secret as in its cells.')
  if (problems.length > 0) throw new StartError(problems.join('\n'))
}
