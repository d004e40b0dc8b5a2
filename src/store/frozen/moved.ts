import { createHash } from 'node:crypto'
import type { Uuid } from '../../kernel/ids.ts'
import type { Reader } from '../database.ts'
import { isFrozen, WorkspaceFrozen } from './frozen.ts'

/** A request for a workspace that another cell has. */
export class WorkspaceElsewhere extends Error {
  readonly address: string

  constructor(address: string) {
    super(`the workspace has moved to ${address}`)
    this.name = 'WorkspaceElsewhere'
    this.address = address
  }
}

/** Throws WorkspaceElsewhere, or WorkspaceFrozen while it is on its way. Nothing for an unknown workspace. */
export async function assertHere(reader: Reader, workspaceId: Uuid): Promise<void> {
  const address = await addressOfWorkspace(reader, workspaceId)
  if (address !== null) throw new WorkspaceElsewhere(address)
  if (await isFrozen(reader, workspaceId)) throw new WorkspaceFrozen(workspaceId)
}

/** Throws WorkspaceElsewhere for a credential or a name of a workspace that has moved. */
export async function assertNotMoved(reader: Reader, hash: Buffer): Promise<void> {
  const address = await addressOfCredential(reader, hash)
  if (address !== null) throw new WorkspaceElsewhere(address)
}

/** As what the Slack team of a moved workspace is noted. */
export function hashOfTeam(teamId: string): Buffer {
  return createHash('sha256').update(`slack ${teamId}`).digest()
}

interface Moved {
  address: string
}

/** Where the workspace of a key, a token or a session has moved to; null if it did not move. */
export async function addressOfCredential(reader: Reader, hash: Buffer): Promise<string | null> {
  const [row] = await reader.run<Moved>(
    'moved-credential',
    `select m.address from moved_credential c join moved_workspace m on m.id = c.moved_id
     where c.hash = $1 and m.state <> 'frozen'`,
    [hash],
  )
  return row?.address ?? null
}

/** Where a workspace has moved to; null if it did not. */
export async function addressOfWorkspace(reader: Reader, workspaceId: Uuid): Promise<string | null> {
  const [row] = await reader.run<Moved>(
    'moved-workspace',
    "select address from moved_workspace where id = $1 and state <> 'frozen'",
    [workspaceId],
  )
  return row?.address ?? null
}
