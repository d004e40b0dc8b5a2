import { type Command, CommanderError } from 'commander'
import { type EarshotError, isEarshotError } from '../client/index.ts'
import { withSourceLines } from '../kernel/source-lines.ts'
import type { Cli } from './kit/cli.ts'
import { EXIT, exitCodeOf } from './kit/exit-codes.ts'
import { cleanLine } from './terminal/clean.ts'

/** Runs the command that the arguments name, and resolves to what the process ends with. */
export async function runProgram(program: Command, cli: Cli, args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' })
    return EXIT.done
  } catch (error) {
    return endOf(error, cli)
  }
}

/** Says what went wrong; the stack only of defects. */
function endOf(error: unknown, { terminal, isInterrupted }: Cli): number {
  if (error instanceof CommanderError) {
    const isHelp = error.code === 'commander.version' || error.code.startsWith('commander.help')
    return isHelp ? error.exitCode : EXIT.usage
  }
  if (isInterrupted()) return EXIT.interrupted
  const code = exitCodeOf(error)
  if (code === undefined) {
    terminal.note(error instanceof Error ? withSourceLines(error.stack ?? error.message) : String(error))
    return EXIT.failed
  }
  terminal.note(isEarshotError(error) ? messageOf(error) : (error as Error).message)
  return code
}

/** Texts of a service are foreign: whoever runs it may write to the terminal only what is shown. */
function messageOf({ message, code, requestId, details }: EarshotError): string {
  const facts = requestId === null ? '' : ` (${code}, ${requestId})`
  const fields = details.slice(1).map(({ field, reason }) => `${field}: ${reason}`)
  return [`${message}${facts}`, ...fields].map(cleanLine).join('\n')
}
