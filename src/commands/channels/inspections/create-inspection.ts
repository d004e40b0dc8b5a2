import { INSPECTIONS, inspectionUrl } from '../../../domain/channel/inspection.ts'
import type { Refusal } from '../../../domain/refusal/refusal.ts'
import { plus } from '../../../kernel/clock.ts'
import { type Id, newUuid, toId } from '../../../kernel/ids.ts'
import { newSecret } from '../../../kernel/secrets.ts'
import { insertInspection } from '../../../store/channel/inspections.ts'
import { lockWorkspace } from '../../../store/workspace/workspaces.ts'
import { once } from '../../once.ts'
import type { WritingContext } from '../../writing.ts'

export interface MadeInspection {
  id: Id<'insp'>
  name: string
  /** Only this answer holds it. */
  url: string
  createdAt: string
  expiresAt: string
}

/** An inbox for requests of webhook channels. The oldest beyond the limit of the workspace is deleted. */
export async function createInspection(
  writing: WritingContext,
  { requestId, name }: { requestId?: string | undefined; name: string },
): Promise<MadeInspection | Refusal<'request_conflict'>> {
  const { clock, workspaceId, publicUrl } = writing
  return once(writing, { operation: 'create-inspection', requestId, body: { name } }, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const createdAt = clock.now()
    const id = newUuid(createdAt)
    const expiresAt = plus(createdAt, INSPECTIONS.keptMs)
    const { text: token, hash: tokenHash } = newSecret('ein')
    await insertInspection(tx, { workspaceId, id, name, tokenHash, createdAt, expiresAt })
    const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
    return { id: toId('insp', id), name, url: inspectionUrl(publicUrl, token), ...times }
  })
}
