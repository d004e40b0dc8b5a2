import { toId } from '../../kernel/ids.ts'
import { readWorkspace, type WorkspaceView } from '../../queries/workspaces.ts'
import { sql } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

export async function renameWorkspace(
  { db, clock, workspaceId, retention }: WritingContext,
  name: string,
): Promise<WorkspaceView> {
  const id = toId('org', workspaceId)
  await db.transaction(async (tx) => {
    const [before] = await tx.query<{ name: string }>(
      sql`select name from workspace where id = ${workspaceId} for no key update`,
    )
    if (before === undefined || before.name === name) return
    await tx.query(sql`update workspace set name = ${name} where id = ${workspaceId}`)
    await recordAudit(
      tx,
      { workspaceId, kind: 'workspace.renamed', target: { id, name }, data: { from: before.name } },
      clock.now(),
    )
  })
  return await readWorkspace({ db, workspaceId, retention })
}
