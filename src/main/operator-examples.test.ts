import { Command } from 'commander'
import { expect, test } from 'vitest'
import type { Cli } from '../cli/index.ts'
import { addDeveloperCommands, addOperatorCommands } from './operator-commands.ts'
import { addOperatorExamples } from './operator-examples.ts'

test('the help of every command that takes more than its name has an example, called as here', () => {
  let printed = ''
  const program = new Command('earshot').configureOutput({ writeOut: (text) => (printed += text) })
  addDeveloperCommands(program, {} as Cli)
  addOperatorCommands(program, {} as Cli)
  addOperatorExamples(program)
  const helpOf = (command: Command) => {
    printed = ''
    command.outputHelp()
    return printed
  }
  expect(helpOf(program)).not.toContain('Examples:')
  const [keys] = program.commands.filter((command) => command.name() === 'keys')
  expect(helpOf(keys!.commands[0]!)).toContain('$(npx --no earshot keys create --workspace "My company" --scope write)')
  for (const name of [
    'start',
    'backup',
    'restore',
    'doctor',
    'model-costs',
    'grant',
    'invite',
    'sign-in-link',
    'unsuppress',
    'erase',
    'listen',
  ])
    expect(helpOf(program.commands.find((command) => command.name() === name)!)).toMatch(
      new RegExp(`Examples:\n.*npx --no earshot ${name}`),
    )
})
