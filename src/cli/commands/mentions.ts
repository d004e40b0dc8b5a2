import { type Command, Option } from 'commander'
import type { Client } from '../../client/index.ts'
import { numbered } from '../../kernel/figures.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { addFlags, inputOf } from '../kit/flags.ts'
import { flagsOf } from '../kit/operation-flags.ts'
import { first, printList, printValue } from '../kit/output.ts'
import { bodyOf, printBody, saveWhole } from '../kit/save.ts'
import { printArriving } from './arriving.ts'
import { mentionColumns, mentionPage } from './mention-lines.ts'
import {
  clientCommand,
  examples,
  findKeyword,
  limitOption,
  type Options,
  readingCommand,
  withSession,
} from './shared.ts'

const FILTERS = 'Filters:'
const KEYWORD = ['--keyword <term>', 'mentions of the keyword with this term or id'] as const

export function addMentionCommands(program: Command, cli: Cli): void {
  const mentions = program.command('mentions').description('read mentions, follow them, and triage them')
  addList(mentions, cli)
  addTail(mentions, cli)
  addShow(mentions, cli)
  for (const change of CHANGES) addChange(mentions, cli, change)
  addExport(mentions, cli)
}

/** The keyword by its term, beside the filters of the operation. */
async function filterOf(
  client: Client,
  flags: Parameters<typeof inputOf>[0],
  options: Options,
  now: Date,
): Promise<Record<string, unknown>> {
  const input = inputOf(flags, options, now)
  const { keyword } = options
  return typeof keyword === 'string' ? { ...input, keywordIds: [(await findKeyword(client, keyword)).id] } : input
}

function addList(mentions: Command, cli: Cli): void {
  const flags = flagsOf('list-mentions')
  const command = readingCommand(mentions, 'list', 'list mentions that meet every condition, newest first')
    .addOption(limitOption(25))
    .addOption(new Option(...KEYWORD).helpGroup(FILTERS).conflicts('keywordIds'))
    .action(
      withSession(cli, async ({ client }, options) => {
        const limit = Number(options['limit'])
        const input = { ...(await filterOf(client, flags, options, cli.now())), limit: Math.min(limit, 100) }
        const items = first(client.listMentions(input, { signal: cli.signal }), limit)
        await printList(cli, items, { columns: mentionColumns(cli.now()), noun: 'mentions' }, options)
      }),
    )
  addFlags(command, flags, { heading: FILTERS })
  examples(command, [
    'earshot mentions list --keyword acme --relevant --status open',
    'earshot mentions list --sentiments negative --since 7d --sort priority',
    'earshot mentions list --since 30d --limit 1000 --json | jq -r .post.url',
  ])
}

function addTail(mentions: Command, cli: Cli): void {
  const flags = flagsOf('stream-mentions')
  const command = readingCommand(mentions, 'tail', 'print mentions as they arrive, until Ctrl-C', false)
    .addOption(new Option(...KEYWORD).helpGroup(FILTERS).conflicts('keywordIds'))
    .action(
      withSession(cli, async ({ client }, options) => {
        const input = await filterOf(client, flags, options, cli.now())
        await printArriving(cli, client, input, options)
      }),
    )
  addFlags(command, flags, { heading: FILTERS })
  command.addHelpText('after', '\nA broken connection is opened again, and what was missed is printed.')
  examples(command, [
    'earshot mentions tail --relevant',
    'earshot mentions tail --keyword acme --json | jq -r .post.text',
  ])
}

function addShow(mentions: Command, cli: Cli): void {
  const command = readingCommand(mentions, 'show', 'show a mention with its whole post', false)
    .argument('<id>', 'id of the mention (mtn_...)')
    .action(
      withSession(cli, async ({ client }, options, id: string) => {
        const mention = await client.getMention({ id })
        if (options.json) return printValue(cli, mention)
        await cli.terminal.write(mentionPage(mention, cli.terminal))
      }),
    )
  examples(command, ['earshot mentions show mtn_01h...'])
}

interface Change {
  name: string
  about: string
  said: string
  fields: Readonly<Record<string, unknown>>
}

const CHANGES: readonly Change[] = [
  { name: 'done', about: 'set mentions to done', said: 'done', fields: { status: 'done' } },
  { name: 'ignore', about: 'set mentions to ignored', said: 'ignored', fields: { status: 'ignored' } },
  { name: 'reopen', about: 'set mentions to open again', said: 'open', fields: { status: 'open' } },
  { name: 'relevant', about: 'mark mentions as relevant', said: 'relevant', fields: { relevant: true } },
  { name: 'irrelevant', about: 'mark mentions as not relevant', said: 'not relevant', fields: { relevant: false } },
]

/** Mentions that one request may change. */
const BATCH = 200

function addChange(mentions: Command, cli: Cli, { name, about, said, fields }: Change): void {
  const command = clientCommand(mentions, name, about)
    .argument('<ids...>', 'ids of mentions (mtn_...); - reads them from standard input, one a line')
    .action(
      withSession(cli, async ({ client }, _options, given: string[]) => {
        const ids = await idsFrom(cli, given)
        let left = 0
        for (let at = 0; at < ids.length; at += BATCH) {
          const { skipped } = await client.updateMentions({ ids: ids.slice(at, at + BATCH), ...fields })
          for (const { id, code } of skipped) cli.terminal.note(`${id}: ${code}`)
          left += skipped.length
        }
        await cli.terminal.line(
          `${numbered(ids.length - left, 'mention')} ${ids.length - left === 1 ? 'is' : 'are'} ${said}`,
        )
        if (left > 0) throw new CommandError(`${numbered(left, 'mention')} could not be changed.`)
      }),
    )
  examples(command, [
    `earshot mentions ${name} mtn_01h...`,
    `earshot mentions list --json | jq -r .id | earshot mentions ${name} -`,
  ])
}

async function idsFrom({ stdin }: Cli, given: readonly string[]): Promise<string[]> {
  if (given.length !== 1 || given[0] !== '-') return [...given]
  const { text } = await import('node:stream/consumers')
  const ids = (await text(stdin)).split(/\s+/).filter((id) => id !== '')
  if (ids.length === 0) throw new CommandError('Standard input has no ids.', EXIT.usage)
  return ids
}

function addExport(mentions: Command, cli: Cli): void {
  const flags = flagsOf('export-mentions-csv')
  const command = clientCommand(mentions, 'export', 'export mentions as the service writes them, up to its limit')
    .addOption(new Option('--format <format>', 'form of the export').choices(['csv', 'json']).default('csv'))
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .addOption(new Option(...KEYWORD).helpGroup(FILTERS).conflicts('keywordIds'))
    .action(
      withSession(cli, async ({ client }, options) => {
        const input = await filterOf(client, flags, options, cli.now())
        const format = options['format'] === 'json' ? 'json' : 'csv'
        const path = `/v1/mentions/export.${format}?${parametersOf(input)}`
        const response = await client.request({ path }, { signal: cli.signal })
        await save(cli, response, options['output'] as string | undefined)
        if (response.headers.get('x-mentions-truncated') === 'true')
          cli.terminal.note('There are more mentions than an export holds. Narrow the filter, such as with --since.')
      }),
    )
  addFlags(command, flags, { heading: FILTERS })
  examples(command, [
    'earshot mentions export --since 30d --relevant -o mentions.csv',
    'earshot mentions export --format json > mentions.json',
  ])
}

function parametersOf(input: Readonly<Record<string, unknown>>): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (name === 'anyOf') parameters.append(name, JSON.stringify(value))
    else for (const item of [value].flat()) parameters.append(name, String(item))
  }
  return parameters
}

async function save({ terminal }: Cli, response: Response, file: string | undefined): Promise<void> {
  if (file === undefined) return printBody(terminal, response)
  let bytes = 0
  async function* counted() {
    for await (const chunk of bodyOf(response)) {
      bytes += chunk.length
      terminal.progress(`${Math.round(bytes / 1000)} kB`)
      yield chunk
    }
  }
  await saveWhole(file, counted())
  terminal.note(`${Math.round(bytes / 1000)} kB in ${file}`)
}
