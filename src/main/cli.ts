import { Command } from 'commander'
import { addClientCommands, addCompletionCommand, runProgram } from '../cli/index.ts'
import { COMMAND } from '../kernel/checkout.ts'
import { nameSourcesInCrashes } from '../kernel/source-lines.ts'
import { VERSION } from '../kernel/version.ts'
import { createCli } from './client-cli.ts'
import { addDeveloperCommands, addOperatorCommands } from './operator-commands.ts'
import { addOperatorExamples } from './operator-examples.ts'

nameSourcesInCrashes()
const cli = createCli()
const program = new Command(COMMAND)
  .description(
    'Self-hosted social listening: collects posts, matches them against your keywords, scores and delivers them.',
  )
  .version(VERSION)
  .showHelpAfterError(`(run ${COMMAND} help for the commands)`)
  .exitOverride()
addClientCommands(program, cli)
addDeveloperCommands(program, cli)
addOperatorCommands(program, cli)
addOperatorExamples(program)
program.commandsGroup('Help:').addHelpCommand(new Command('help [command]').description('show the help of a command'))
addCompletionCommand(program, cli)

const code = await runProgram(program, cli, process.argv.slice(2))
// A command may have set its own code, and a stream may still be written.
if (code !== 0) process.exitCode = code
