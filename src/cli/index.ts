import type { Command, Option } from 'commander'
import { addAccountCommands } from './commands/account.ts'
import { addDeliveryCommands } from './commands/deliveries.ts'
import { addKeywordCommands } from './commands/keywords.ts'
import { addMentionCommands } from './commands/mentions.ts'
import { addReportCommand } from './commands/report.ts'
import { addAlertCommands, addChannelCommands } from './commands/routing.ts'
import { addSearchCommand } from './commands/search.ts'
import { examples } from './commands/shared.ts'
import { completionScript, SHELLS, type Shell } from './completion/completion.ts'
import type { Cli } from './kit/cli.ts'

export { installationAddress } from './account/installation-address.ts'
export { examples } from './commands/shared.ts'
export type { Cli } from './kit/cli.ts'
export { CommandError, EXIT, type ExitCode, exitCodeFor } from './kit/exit-codes.ts'
export { runProgram } from './run.ts'
export { cleanLine } from './terminal/clean.ts'
export { Terminal } from './terminal/terminal.ts'

/** Commands that work with any installation, over its API. */
export function addClientCommands(program: Command, cli: Cli): void {
  program.commandsGroup('Your installation, over its API:')
  addAccountCommands(program, cli)
  addSearchCommand(program, cli)
  addKeywordCommands(program, cli)
  addMentionCommands(program, cli)
  addAlertCommands(program, cli)
  addChannelCommands(program, cli)
  addDeliveryCommands(program, cli)
  addReportCommand(program, cli)
  for (const command of program.commands) orderOptions(command)
}

/** What a command is about comes first in its help, and what all commands share last. */
const LAST = ['Output:', 'Connection:']

function orderOptions(command: Command): void {
  const rank = ({ helpGroupHeading = '' }: Option) => LAST.indexOf(helpGroupHeading)
  ;(command.options as Option[]).sort((a, b) => rank(a) - rank(b))
  for (const inner of command.commands) orderOptions(inner)
}

export function addCompletionCommand(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands and options')
    .addArgument(program.createArgument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .action(async (shell: Shell) => cli.terminal.write(completionScript(program, shell)))
  examples(command, [
    'source <(earshot completion bash)',
    'earshot completion fish > ~/.config/fish/completions/earshot.fish',
  ])
}
