import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { insertChannel } from '../src/store/channel/channels.ts'
import type { TestWorkspace } from './world.ts'

/**
 * A channel of the kind e-mail without recipients, for what depends on the kind alone: no mail server is needed and
 * nobody is asked.
 */
export async function makeMailChannel({ db, clock, workspaceId }: TestWorkspace): Promise<Uuid> {
  const at = clock.now()
  const id = newUuid(at)
  const settings = { label: 'Mail', enabled: true, config: { recipients: [] }, secretSealed: null, events: [] }
  await db.transaction((tx) => insertChannel(tx, { ...settings, workspaceId, id, kind: 'email', createdAt: at }))
  return id
}
