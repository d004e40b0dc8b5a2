import { megabytes } from '../kernel/figures.ts'
import { DatabaseUnavailable, isNotReady, openDatabase } from '../store/database.ts'
import { readStandbyState, type StandbyState } from '../store/standby.ts'
import { type Installation, reasonOf } from './installation.ts'

interface Report {
  rows: string[][]
  wrong: string[]
}

/** For the doctor: nothing without a standby. */
export async function standbyReport({ settings, services: { db }, log }: Installation): Promise<Report> {
  const { databaseReadUrl: address, preparesStatements: prepares } = settings
  if (address === null) return { rows: [], wrong: [] }
  const standby = openDatabase({
    connection: address,
    pooler: address,
    prepares,
    poolSize: 1,
    callerConnections: 0,
    log,
  })
  try {
    return reportOf(await readStandbyState(db, standby))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) && !isNotReady(error)) throw error
    return unused(reasonOf(error))
  } finally {
    await standby.close()
  }
}

export function reportOf({ recovers, fits, behindBytes, feedback }: StandbyState): Report {
  if (!recovers) return unused('the server is no standby')
  if (!fits) return unused('it stands by for another database, or another timeline of it')
  return {
    rows: [
      [
        'reads of the API',
        `DATABASE_READ_URL, ${behindBytes === 0 ? 'up to date' : `${megabytes(behindBytes)} behind`}`,
      ],
    ],
    wrong: feedback
      ? []
      : ['hot_standby_feedback is off at the standby (DATABASE_READ_URL): long exports may be cancelled there.'],
  }
}

function unused(reason: string): Report {
  return {
    rows: [['reads of the API', `DATABASE_URL; DATABASE_READ_URL cannot be used: ${reason}`]],
    wrong: [`The standby cannot be used (DATABASE_READ_URL): ${reason}.`],
  }
}
