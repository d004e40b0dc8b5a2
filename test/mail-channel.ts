import type { WritingContext } from '../src/commands/writing.ts'
import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { insertChannel } from '../src/store/channel/channels.ts'
import type { Recipient } from '../src/store/channel/email-channels.ts'

/** A channel of the kind e-mail behind the service: no mail server is needed and nobody is asked. */
export async function makeMailChannel(
  { db, clock, workspaceId }: Pick<WritingContext, 'db' | 'clock' | 'workspaceId'>,
  recipients: readonly Recipient[] = [],
): Promise<Uuid> {
  const at = clock.now()
  const id = newUuid(at)
  const settings = { label: 'Mail', enabled: true, config: { recipients }, secretSealed: null, events: [] }
  await db.transaction((tx) => insertChannel(tx, { ...settings, workspaceId, id, kind: 'email', createdAt: at }))
  return id
}
