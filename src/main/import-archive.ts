import { createReadStream } from 'node:fs'
import { CommandError, EXIT } from '../cli/index.ts'
import { linesOf } from '../commands/archive/archive-lines.ts'
import { ArchiveProblem } from '../commands/archive/archive-problem.ts'
import { ArchivedLedgerProblem } from '../commands/archive/finish-import.ts'
import { importWorkspace } from '../commands/archive/import-workspace.ts'
import { COMMAND } from '../kernel/checkout.ts'
import { toId } from '../kernel/ids.ts'
import { withInstallation } from './administration.ts'
import { describeDifference } from './ledger.ts'

/** Rows between two lines of progress. */
const TOLD_EVERY = 50_000

/** Longer than any row: a digest of many mentions has megabytes. */
const LONGEST_LINE = 16_000_000

/** Differences of the ledger that are printed. */
const DIFFERENCES_SHOWN = 20

/** Makes a workspace of an archive. Only its id goes to standard output. */
export function importArchive(file: string, { keepBalance }: { keepBalance: boolean }): Promise<void> {
  return withInstallation(async ({ services }) => {
    try {
      let toldAt = 0
      const onProgress = (done: number, total: number) => {
        if (done - toldAt < TOLD_EVERY) return
        toldAt = done
        console.error(`${done} of ${total} rows`)
      }
      const { id, name } = await importWorkspace(services, linesOf(createReadStream(file, 'utf8'), LONGEST_LINE), {
        onProgress,
        keepBalance,
      })
      console.error(
        `The workspace ${name} was imported. Its keywords are muted and its channels disabled. Invite its owner with ` +
          `${COMMAND} invite ${toId('org', id)} EMAIL.`,
      )
      console.log(toId('org', id))
    } catch (error) {
      throw explained(error, file)
    }
  })
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof ArchivedLedgerProblem)
    for (const difference of error.differences.slice(0, DIFFERENCES_SHOWN))
      console.error(describeDifference(difference))
  if (error instanceof ArchiveProblem) return new CommandError(`${file}: ${error.message}`, EXIT.usage)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'open' || syscall === 'read') return new CommandError(`${file} cannot be read (${code}).`, EXIT.usage)
  return error
}
