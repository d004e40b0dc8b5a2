import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { deleteAlert as removeAlert } from '../../store/alert/alerts.ts'
import type { WritingContext } from '../writing.ts'

/** Cancels unsent deliveries of the rule; the logs of its channels keep the sent ones. */
export async function deleteAlert(
  { db, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => ((await removeAlert(tx, workspaceId, id)) ? undefined : noSuchAlert()))
}
