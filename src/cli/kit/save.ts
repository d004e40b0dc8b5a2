import { randomBytes } from 'node:crypto'
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { cleanText } from '../terminal/clean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { CommandError, EXIT } from './exit-codes.ts'

/** The parts of an answer as they come. */
export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  try {
    yield* response.body as unknown as AsyncIterable<Uint8Array>
  } catch {
    // Whatever ended it, an answer without its end is told by the same words.
    throw new CommandError('The answer broke off before its end. Run the command again.', EXIT.busy)
  }
}

/** Prints an answer as it comes. */
export async function printBody(terminal: Terminal, response: Response): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of bodyOf(response)) {
    const part = decoder.decode(chunk, { stream: true })
    await terminal.write(terminal.isForPeople ? cleanText(part) : part)
  }
  // A character that is not whole shows as such.
  await terminal.write(decoder.decode())
}

/** Writes a file that only its owner may read. Until it is whole, its name ends in `.part`. */
export async function saveWhole(file: string, parts: AsyncIterable<Uint8Array> | string): Promise<void> {
  try {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    // A device or a pipe, such as /dev/stdout, is written and never replaced.
    if (found !== null && !found.isFile()) return await writeFile(file, parts)
    await replace(found === null ? file : await realpath(file), parts)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof CommandError || typeof code !== 'string') throw error
    throw new CommandError(
      `--output: ${file} cannot be written (${code}).`,
      WRONG_PATH.has(code) ? EXIT.usage : EXIT.failed,
    )
  }
}

async function replace(file: string, parts: AsyncIterable<Uint8Array> | string): Promise<void> {
  const part = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    await writeFile(part, parts, { mode: 0o600, flag: 'wx' })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const WRONG_PATH: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS'])
