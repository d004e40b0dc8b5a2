import type { Services } from '../writing.ts'
import { readArchive } from './read-archive.ts'
import { type ImportedWorkspace, WorkspaceImport } from './workspace-import.ts'

export interface ImportOptions {
  /** Called after every batch with the rows read so far, and their number in the archive. */
  onProgress?: (done: number, total: number) => void
  /** On a metered installation: otherwise a ledger entry takes the balance away. */
  keepBalance?: boolean
}

/**
 * Makes a new workspace of an archive, all of it or nothing. Keywords arrive muted and channels disabled, nothing is
 * sent, and mentions that were not charged yet are never charged. Rows are stored in portions that nobody sees before
 * the last; the removal of workspaces removes what a killed import leaves. Throws ArchiveProblem.
 */
export async function importWorkspace(
  services: Services,
  lines: AsyncIterable<string>,
  { onProgress, keepBalance = false }: ImportOptions = {},
): Promise<ImportedWorkspace> {
  const importing = new WorkspaceImport(services)
  let [done, total] = [0, 0]
  try {
    await readArchive(
      lines,
      async (manifest) => {
        total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
        await importing.begin(manifest)
      },
      async (batch) => {
        await importing.take(batch)
        done += batch.rows.length
        onProgress?.(done, total)
      },
    )
    return await importing.finish({ keepBalance })
  } catch (error) {
    await importing
      .discard()
      .catch((failure: unknown) =>
        services.log.warn(
          { event: 'import.not_discarded', err: failure },
          'A failed import is left to the removal of workspaces, because it could not be removed at once',
        ),
      )
    throw error
  }
}
