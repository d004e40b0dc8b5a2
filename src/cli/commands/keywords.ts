import type { Command } from 'commander'
import type { Client, Schema } from '../../client/index.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import { numbered } from '../../kernel/figures.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { addFlags, inputOf } from '../kit/flags.ts'
import { flagsOf } from '../kit/operation-flags.ts'
import { first, type ListColumn, printFacts, printList, printValue } from '../kit/output.ts'
import { cleanLine } from '../terminal/clean.ts'
import { ago } from '../terminal/times.ts'
import { printArriving } from './arriving.ts'
import { examples, findKeyword, type Keyword, limitOption, readingCommand, wholeNumber, withSession } from './shared.ts'

type Health = Schema<'KeywordHealth'>
type Suggestion = Health['suggestions'][number]

const KEYWORD = 'term of the keyword, or its id (kw_...)'

export function addKeywordCommands(program: Command, cli: Cli): void {
  const keywords = program.command('keywords').description('watch terms, and see how well they do')
  addList(keywords, cli)
  addCreation(keywords, cli)
  addSwitch(keywords, cli, { name: 'pause', muted: true, about: 'stop collecting for a keyword' })
  addSwitch(keywords, cli, { name: 'resume', muted: false, about: 'collect for a keyword again' })
  addHealth(keywords, cli)
  addSuggestions(keywords, cli)
}

function addList(keywords: Command, cli: Cli): void {
  const flags = flagsOf('list-keywords')
  const command = readingCommand(keywords, 'list', 'list keywords with their statistics')
    .addOption(limitOption(100))
    .action(
      withSession(cli, async ({ client }, options) => {
        const items = client.listKeywords(inputOf(flags, options, cli.now()))
        await printList(
          cli,
          first(items, Number(options['limit'])),
          { columns: columnsAt(cli.now()), noun: 'keywords' },
          options,
        )
      }),
    )
  addFlags(command, flags, { heading: 'Filters:' })
  examples(command, [
    'earshot keywords list --health noisy --sort mentions',
    'earshot keywords list --csv > keywords.csv',
  ])
}

function columnsAt(now: Date): ListColumn<Keyword>[] {
  return [
    { title: 'term', cell: ({ term }) => term, isFlexible: true },
    { title: 'kind', cell: ({ kind }) => kind },
    { title: 'state', cell: stateOf, colour: (keyword) => (stateOf(keyword) === 'active' ? null : 'yellow') },
    {
      title: 'health',
      cell: ({ stats }) => stats.health,
      colour: ({ stats }) => (stats.health === 'noisy' ? 'red' : null),
    },
    { title: '7 days', cell: ({ stats }) => String(stats.last7d), csv: ({ stats }) => stats.last7d, align: 'right' },
    {
      title: 'relevant',
      cell: ({ stats }) => String(stats.relevant),
      csv: ({ stats }) => stats.relevant,
      align: 'right',
    },
    {
      title: 'mentions',
      cell: ({ stats }) => String(stats.mentions),
      csv: ({ stats }) => stats.mentions,
      align: 'right',
    },
    {
      title: 'last',
      cell: ({ stats }) => ago(stats.lastMentionAt, now),
      csv: ({ stats }) => stats.lastMentionAt,
      align: 'right',
    },
  ]
}

function stateOf({ muted, pausedForBalance, pausedForNoise, pausedForCap }: Keyword): string {
  if (pausedForBalance) return 'no balance'
  if (pausedForNoise) return 'paused'
  if (muted) return 'paused'
  return pausedForCap ? 'capped' : 'active'
}

function addCreation(keywords: Command, cli: Cli): void {
  const flags = flagsOf('create-keyword')
  const command = readingCommand(keywords, 'add', 'watch a term', false)
    .argument('<term>', 'term to watch')
    .option('--tail', 'then print its mentions as they arrive, until Ctrl-C')
    .action(
      withSession(cli, async ({ client }, options, term: string) => {
        const made = await client.createKeyword({ ...inputOf(flags, options, cli.now()), term })
        const watching = `Watching ${cleanLine(made.term)} (${made.id})`
        if (options['tail']) cli.terminal.note(watching)
        else if (options.json) return printValue(cli, made)
        else await cli.terminal.line(watching)
        for (const { message } of made.hints ?? []) cli.terminal.note(cleanLine(message))
        if (options['tail']) await printArriving(cli, client, { keywordIds: [made.id] }, options)
      }),
    )
  addFlags(command, flags, { without: ['term'], heading: 'Keyword:' })
  examples(command, [
    'earshot keywords add "acme cloud" --kind brand --context "Cloud storage for teams"',
    'earshot keywords add acme --tail',
    'earshot keywords add globex --kind competitor --platforms hackernews,reddit --excluded-terms simpsons',
  ])
}

function addSwitch(
  keywords: Command,
  cli: Cli,
  { name, muted, about }: { name: string; muted: boolean; about: string },
): void {
  const command = readingCommand(keywords, name, about, false)
    .argument('<keyword>', KEYWORD)
    .action(
      withSession(cli, async ({ client }, options, text: string) => {
        const { id } = await findKeyword(client, text)
        const changed = await client.updateKeyword({ id, muted })
        if (options.json) return printValue(cli, changed)
        await cli.terminal.line(`${cleanLine(changed.term)} is ${stateOf(changed)}`)
      }),
    )
  examples(command, [`earshot keywords ${name} "acme cloud"`])
}

const RANGE = ['--range <range>', '7d, 30d or 90d', '30d'] as const

async function healthOf(client: Client, text: string, range: unknown): Promise<Health> {
  const { id } = await findKeyword(client, text)
  return client.getKeywordHealth({ id, range: range as '30d' })
}

function addHealth(keywords: Command, cli: Cli): void {
  const command = readingCommand(
    keywords,
    'health',
    'show how many matches are relevant, and where noise comes from',
    false,
  )
    .argument('<keyword>', KEYWORD)
    .option(...RANGE)
    .action(
      withSession(cli, async ({ client }, options, text: string) => {
        const health = await healthOf(client, text, options['range'])
        if (options.json) return printValue(cli, health)
        const { stats, noiseTerms, noiseAuthors, suggestions } = health
        await printFacts(cli, [
          ['keyword', `${health.keyword.term} (${health.keyword.id})`],
          ['health', health.status],
          ['why', health.reasons.join(' ')],
          ['days', String(health.window.days)],
          ['matches', `${stats.matches}, of which ${stats.relevant} relevant and ${stats.unscored} without a score`],
          [
            'noise',
            stats.noiseShare === null ? 'unknown' : `${Math.round(stats.noiseShare * 100)} % of scored matches`,
          ],
          ['cost', `$${(stats.cost.totalCents / 100).toFixed(2)}`],
          [
            'noisy terms',
            noiseTerms
              .slice(0, 8)
              .map(({ term }) => term)
              .join(', '),
          ],
          [
            'noisy authors',
            noiseAuthors
              .slice(0, 8)
              .map(({ name }) => name)
              .join(', '),
          ],
          [
            'suggestions',
            suggestions.length === 0
              ? 'none'
              : `${suggestions.length}: ${COMMAND} keywords suggest ${health.keyword.id}`,
          ],
        ])
      }),
    )
  examples(command, ['earshot keywords health "acme cloud" --range 90d'])
}

function addSuggestions(keywords: Command, cli: Cli): void {
  examples(
    readingCommand(keywords, 'suggest', 'list rules against noise, each tried on stored posts')
      .argument('<keyword>', KEYWORD)
      .option(...RANGE)
      .option('--apply <n>', 'set the rule of this number', wholeNumber(1, 100))
      .action(
        withSession(cli, async ({ client }, options, text: string) => {
          const { keyword, suggestions } = await healthOf(client, text, options['range'])
          if (options['apply'] !== undefined)
            return apply(cli, client, { id: keyword.id, suggestions, at: Number(options['apply']), json: options.json })
          await printList(cli, suggestions, { columns: suggestionColumns(suggestions), noun: 'suggestions' }, options)
        }),
      ),
    ['earshot keywords suggest acme', 'earshot keywords suggest acme --apply 1'],
  )
}

function suggestionColumns(all: readonly Suggestion[]): ListColumn<Suggestion>[] {
  return [
    { title: '#', cell: (suggestion) => String(all.indexOf(suggestion) + 1), align: 'right' },
    { title: 'rule', cell: ({ type, values }) => `${type} ${values.join(', ')}` },
    {
      title: 'noise',
      cell: ({ effect }) => (effect === null ? '-' : `-${effect.noiseRemoved}`),
      align: 'right',
      colour: () => 'green',
    },
    { title: 'relevant', cell: ({ effect }) => (effect === null ? '-' : `-${effect.relevantRemoved}`), align: 'right' },
    { title: 'why', cell: ({ why }) => why, isFlexible: true },
  ]
}

async function apply(
  cli: Cli,
  client: Client,
  { id, suggestions, at, json }: { id: string; suggestions: readonly Suggestion[]; at: number; json: true | undefined },
): Promise<void> {
  const suggestion = suggestions[at - 1]
  if (suggestion === undefined)
    throw new CommandError(
      `There is no suggestion ${at}; ${numbered(suggestions.length, 'suggestion')} exist.`,
      EXIT.notFound,
    )
  const changed = await client.updateKeyword({ id, ...(suggestion.patch as object) })
  if (json) return printValue(cli, changed)
  await cli.terminal.line(
    `${cleanLine(changed.term)} has the rule: ${cleanLine(`${suggestion.type} ${suggestion.values.join(', ')}`)}`,
  )
}
