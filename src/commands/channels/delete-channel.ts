import type { Uuid } from '../../kernel/ids.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { noSuchChannel } from '../../queries/channels/get-channel.ts'
import { deleteChannel as removeChannel } from '../../store/channels.ts'
import type { Writing } from '../writing.ts'

/** Deletes a channel, takes it out of all rules and cancels what waits for it. Its log can no longer be read. */
export async function deleteChannel({ db, workspaceId }: Writing, id: Uuid): Promise<undefined | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => ((await removeChannel(tx, workspaceId, id)) ? undefined : noSuchChannel()))
}
