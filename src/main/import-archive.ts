import { createReadStream } from 'node:fs'
import { CommandError, EXIT } from '../cli/index.ts'
import { importWorkspace } from '../commands/archive/import-workspace.ts'
import { ArchiveProblem } from '../commands/archive/read-archive.ts'
import { COMMAND } from '../kernel/checkout.ts'
import { toId } from '../kernel/ids.ts'
import { withInstallation } from './administration.ts'

/** Rows between two lines of progress. */
const TOLD_EVERY = 50_000

/** Makes a workspace of an archive. Only its id goes to standard output. */
export function importArchive(file: string): Promise<void> {
  return withInstallation(async ({ services }) => {
    try {
      let toldAt = 0
      const onProgress = (done: number, total: number) => {
        if (done - toldAt < TOLD_EVERY) return
        toldAt = done
        console.error(`${done} of ${total} rows`)
      }
      const { id, name } = await importWorkspace(services, linesOf(file), { onProgress })
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

/** Texts of posts may hold line separators of Unicode, so only line feeds separate lines. */
async function* linesOf(file: string): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof ArchiveProblem) return new CommandError(`${file}: ${error.message}`, EXIT.usage)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'open' || syscall === 'read') return new CommandError(`${file} cannot be read (${code}).`, EXIT.usage)
  return error
}
