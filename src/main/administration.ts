import { createApiKey } from '../commands/api-keys/create-api-key.ts'
import { grantCredit } from '../commands/wallet/grant-credit.ts'
import { findOrCreateWorkspace } from '../commands/workspaces/create-workspace.ts'
import { fromId, toId } from '../kernel/ids.ts'
import { isRefusal } from '../kernel/refusal.ts'
import { StartError } from '../kernel/start-error.ts'
import { findWorkspaces } from '../queries/workspaces.ts'
import { type Installation, openInstallation } from './installation.ts'
import { adoptKey as adoptKeyOf } from './key-check.ts'

/** Does one thing with the installation and closes it, whatever comes of it. */
async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const installation = await openInstallation('command')
  try {
    await work(installation)
  } finally {
    await installation.close()
  }
}

/** Opening an installation migrates it, so there is nothing left to do but to say so. */
export function migrate(): Promise<void> {
  return withInstallation(async () => console.log('The database has the schema of this version.'))
}

/** What was sealed with another key stays closed; the processes that run notice at their next start. */
export function adoptKey(): Promise<void> {
  return withInstallation(async (installation) => {
    await adoptKeyOf(installation)
    console.log('The key of this installation is the key of its database now. Restart every process with it, and give every channel a new secret.')
  })
}

/** Prints the key alone on standard output, so that it can be caught in a variable. */
export function createKey({ workspace, scope, name }: { workspace: string; scope: 'read' | 'write'; name: string }): Promise<void> {
  return withInstallation(async ({ services }) => {
    const workspaceId = await findOrCreateWorkspace(services, workspace)
    const key = await createApiKey({ ...services, workspaceId }, { name, scope, expiresAt: null })
    if (isRefusal(key)) throw new StartError(key.message)
    console.log(key.key)
  })
}

export function grant(org: string, cents: number): Promise<void> {
  return withInstallation(async ({ services }) => {
    const found = await findWorkspaces(services.db, { id: fromId('org', org), name: org })
    const [workspace, ...others] = found
    if (!workspace) throw new StartError(`There is no workspace with the id or name ${org}.`)
    if (others.length > 0) throw new StartError(`Several workspaces are called ${org}: ${found.map(({ id }) => toId('org', id)).join(', ')}. Give the id.`)
    const balance = await grantCredit({ ...services, workspaceId: workspace.id }, cents)
    console.log(`${workspace.name} (${toId('org', workspace.id)}) has ${(balance / 100).toFixed(2)} dollars now.`)
  })
}
