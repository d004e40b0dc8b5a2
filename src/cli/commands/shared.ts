import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Client, Schema } from '../../client/index.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import { type ConnectionOptions, connect, type Session } from '../account/session.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { addOutput, type OutputOptions } from '../kit/output.ts'

export type Options = ConnectionOptions & OutputOptions & Record<string, unknown>
export type Keyword = Schema<'Keyword'>

const HEADING = 'Connection:'

type Usage = string | [name: string, options: { isDefault: true }]

/** A command that talks to an installation. */
export function clientCommand(parent: Command, usage: Usage, description: string): Command {
  const [name, options] = typeof usage === 'string' ? [usage] : usage
  return parent
    .command(name, options)
    .description(description)
    .addOption(new Option('--profile <name>', 'profile of a login; default: the current one').helpGroup(HEADING))
    .addOption(new Option('--key <key>', 'API key instead of a profile; default: EARSHOT_API_KEY').helpGroup(HEADING))
    .addOption(
      new Option('--url <url>', 'address of the installation with --key; default: EARSHOT_URL').helpGroup(HEADING),
    )
}

/** The same with a choice of its output. */
export function readingCommand(parent: Command, usage: Usage, description: string, csv = true): Command {
  return addOutput(clientCommand(parent, usage, description), { csv })
}

/** Lines that begin with `earshot` are shown as the command is called here. */
export function examples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${asCalled(line)}`).join('\n')}`)
}

function asCalled(line: string): string {
  return line.replaceAll(/(?<![\w/.-])earshot(?= )/g, () => COMMAND)
}

/** Runs an action with a session; the last two arguments of commander are the options and the command. */
export function withSession<Given extends unknown[]>(
  cli: Cli,
  act: (session: Session, options: Options, ...given: Given) => Promise<void>,
): (...all: unknown[]) => Promise<void> {
  return async (...all) => {
    const [options] = all.slice(-2) as [Options]
    if (all.slice(0, -2).flat().includes('')) throw new CommandError('An argument is empty.', EXIT.usage)
    await act(await connect(cli, options), options, ...(all.slice(0, -2) as Given))
  }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

export function limitOption(usual: number): Option {
  return new Option('--limit <n>', 'most to print').argParser(wholeNumber(1, 1_000_000)).default(usual)
}

/** A keyword by its id, or by its term if only one group has the term. */
export async function findKeyword(client: Client, text: string): Promise<Keyword> {
  if (/^kw_[0-9a-z]{26}$/.test(text)) return client.getKeyword({ id: text })
  const { data } = await client.listKeywords({ term: text })
  const [keyword, other] = data
  if (keyword === undefined)
    throw new CommandError(
      `There is no keyword with the id or term ${text}. Run: ${COMMAND} keywords list`,
      EXIT.notFound,
    )
  if (other !== undefined)
    throw new CommandError(
      `Several groups have the keyword ${text}. Use an id: ${data.map(({ id }) => id).join(', ')}`,
      EXIT.usage,
    )
  return keyword
}
