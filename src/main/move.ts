import { type Cli, CommandError, EXIT } from '../cli/index.ts'
import { MoveProblem, type Moving } from '../commands/move/cell.ts'
import { cancelMove, moveWorkspace } from '../commands/move/move-workspace.ts'
import { isRefusal } from '../domain/refusal/refusal.ts'
import { fromId, toId, type Uuid } from '../kernel/ids.ts'
import { createSealer, readSealingKey, type Sealer } from '../kernel/sealing.ts'
import { getNamedWorkspace, isOrgId } from '../queries/workspaces.ts'
import { type Database, openDatabase, type Reader } from '../store/database.ts'
import { identityOf, readMove } from '../store/move/moves.ts'
import { schemaName } from '../store/schema-name.ts'
import { readKeySample } from '../store/sealed-secrets.ts'
import { withInstallation } from './administration.ts'
import { type Installation, reasonOf } from './installation.ts'
import { opensSample } from './key-check.ts'

export interface MoveOptions {
  /** The address of the other cell's database. */
  to: string
  /** The public address of the other cell; null to cancel. */
  at: string | null
}

/** Where the other cell's key is given when it differs. */
const KEY_VARIABLE = 'MOVE_TO_SECRET_KEY'
const CONNECTIONS = 4

/** Moves a workspace to another cell, goes on with a move that was interrupted, or cancels one. */
export function moveCommand(org: string, { to, at }: MoveOptions, cli: Cli): Promise<void> {
  return withInstallation(async (installation) => {
    const { services, log } = installation
    const workspaceId = await workspaceOf(services.db, org)
    const db = openDatabase({ connection: to, poolSize: CONNECTIONS, callerConnections: 0, log })
    try {
      const there = { db, sealer: await sealerOf(installation, db, cli.env[KEY_VARIABLE]) }
      const moving: Moving = {
        workspaceId,
        here: { db: services.db, sealer: services.sealer },
        there,
        clock: services.clock,
        metered: services.billing === 'metered',
        publicUrl: services.publicUrl,
        tell: (line) => console.error(line),
      }
      await (at === null ? cancelMove(moving) : moveWorkspace(moving, at))
      console.log(toId('org', workspaceId))
    } catch (error) {
      throw error instanceof MoveProblem ? new CommandError(error.message, EXIT.usage) : error
    } finally {
      await db.close()
    }
  })
}

/** A workspace that is leaving is known by its id only. */
async function workspaceOf(db: Reader, org: string): Promise<Uuid> {
  const id = isOrgId(org) ? fromId('org', org) : null
  if (id !== null && (await readMove(db, id)) !== null) return id
  const found = await getNamedWorkspace(db, org)
  if (isRefusal(found)) throw new CommandError(found.message, EXIT.usage)
  return found.id
}

async function sealerOf({ services }: Installation, there: Database, key: string | undefined): Promise<Sealer> {
  const sample = await sampleThere(services.db, there)
  const ownSample = await readKeySample(services.db)
  if (ownSample !== null && !opensSample(services.sealer, ownSample))
    throw new MoveProblem('EARSHOT_SECRET_KEY is not the key of this cell.')
  if (key === undefined) {
    if (opensSample(services.sealer, sample)) return services.sealer
    throw new MoveProblem(`The other cell has another secret key. Give that in ${KEY_VARIABLE}.`)
  }
  const read = readSealingKey(key)
  if ('problem' in read) throw new MoveProblem(`${KEY_VARIABLE} ${read.problem}.`)
  const sealer = createSealer(key)
  if (!opensSample(sealer, sample)) throw new MoveProblem(`${KEY_VARIABLE} is not the key of the other cell.`)
  return sealer
}

/** Of a cell that has run, has the same schema, and is another one. */
async function sampleThere(here: Reader, there: Database): Promise<string> {
  const schemas = await Promise.all(
    [here, there].map((db) => schemaName(db).catch((error: unknown) => unusable(error))),
  )
  if (schemas[0] !== schemas[1])
    throw new MoveProblem(
      `This cell has the schema ${schemas[0]}, the other ${schemas[1]}. Use the same version on both.`,
    )
  if ((await identityOf(here)) === (await identityOf(there)))
    throw new MoveProblem('--to is the database of this cell. Give that of the other cell.')
  const sample = await readKeySample(there)
  if (sample === null) throw new MoveProblem('The other cell has never been started. Start it once.')
  return sample
}

function unusable(error: unknown): never {
  throw new MoveProblem(`--to: the database cannot be used: ${reasonOf(error)}.`)
}
