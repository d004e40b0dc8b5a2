import type { Uuid } from '../../kernel/ids.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { noSuchChannel } from '../../queries/channels/get-channel.ts'
import { deleteChannel as removeChannel } from '../../store/channels.ts'
import type { Writing } from '../writing.ts'

/** Deletes a channel with its log, and takes it out of all rules. */
export async function deleteChannel({ db, workspaceId }: Writing, id: Uuid): Promise<undefined | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => ((await removeChannel(tx, workspaceId, id)) ? undefined : noSuchChannel()))
}
