import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** Recorded before the export's data are read. */
export async function noteExport(
  { db, clock, workspaceId }: Pick<WritingContext, 'db' | 'clock' | 'workspaceId'>,
  operation: string,
): Promise<void> {
  await db.transaction((tx) =>
    recordAudit(tx, { workspaceId, kind: 'export.started', target: NO_TARGET, data: { operation } }, clock.now()),
  )
}
