import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type Cli, CommandError, EXIT } from '../cli/index.ts'
import { StartError } from '../kernel/start-error.ts'
import { passphraseProblem } from './backup-settings.ts'

/** BACKUP_PASSPHRASE, or what a person types twice. */
export async function newPassphrase(set: string | null, cli: Cli): Promise<string> {
  if (set !== null) return set
  const typed = await askHidden('Passphrase for the key: ', cli)
  const problem = passphraseProblem(typed)
  if (problem !== null) throw new StartError(`The passphrase ${problem}.`)
  if ((await askHidden('The same once more: ', cli)) !== typed) throw new StartError('The two passphrases differ.')
  return typed
}

export async function knownPassphrase(set: string | null, cli: Cli): Promise<string> {
  return set ?? (await askHidden('Passphrase of the key in the backup: ', cli))
}

/** Reads a line without showing it. */
async function askHidden(question: string, { stdin, terminal }: Cli): Promise<string> {
  if (stdin.isTTY !== true) throw new StartError('Set BACKUP_PASSPHRASE, or run the command in a terminal.')
  const ending = new AbortController()
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: unseen, terminal: true })
  // Ctrl-C and Ctrl-D.
  reader.on('SIGINT', () => ending.abort()).on('close', () => ending.abort())
  try {
    // Listens before it asks: the answer may be there already.
    const answer = reader.question('', { signal: ending.signal })
    terminal.ask(question)
    return await answer
  } catch (error) {
    if (ending.signal.aborted) throw new CommandError('Nothing was done.', EXIT.interrupted)
    throw error
  } finally {
    reader.close()
    terminal.note('')
  }
}
