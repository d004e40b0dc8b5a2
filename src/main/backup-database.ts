import { StartError } from '../kernel/start-error.ts'
import { DatabaseUnavailable, isNotReady } from '../store/database.ts'
import { type DatabaseServer, databaseServer, logOfCommand, nameOfServer, reasonOf } from './installation.ts'
import type { Settings } from './settings.ts'

/** The database as it is: a backup before an update must not migrate it. */
export async function withDatabase<Result>(
  purpose: 'command' | 'restore',
  settings: Settings,
  work: (server: DatabaseServer) => Promise<Result>,
): Promise<Result> {
  const server = await databaseServer(purpose, settings, logOfCommand(settings))
  try {
    return await work(server)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) && !isNotReady(error)) throw error
    throw new StartError(`${nameOfServer(settings)}: the database cannot be used: ${reasonOf(error)}.`)
  } finally {
    await server.stop()
  }
}
