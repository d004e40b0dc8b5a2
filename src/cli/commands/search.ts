import type { Command } from 'commander'
import type { Schema } from '../../client/index.ts'
import type { Cli } from '../kit/cli.ts'
import { addFlags, inputOf } from '../kit/flags.ts'
import { flagsOf } from '../kit/operation-flags.ts'
import { type ListColumn, printList, printValue } from '../kit/output.ts'
import { wordsOf } from '../kit/post.ts'
import { cleanLine } from '../terminal/clean.ts'
import { cut } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'
import { examples, limitOption, readingCommand, withSession } from './shared.ts'

type Found = Schema<'SearchPlatformsAnswer'>['data'][number]

/** Asks the platforms now, before a keyword exists. */
export function addSearchCommand(program: Command, cli: Cli): void {
  const flags = flagsOf('search-platforms')
  const command = readingCommand(program, 'search', 'search the platforms now, before a keyword exists')
    .argument('<term>', 'term to look for')
    .addOption(limitOption(25))
    .action(
      withSession(cli, async ({ client }, options, term: string) => {
        cli.terminal.progress('Asking the platforms')
        const input = { ...inputOf(flags, options, cli.now()), query: term, limit: Number(options['limit']) }
        const { data, sources } = await client.searchPlatforms(input, { signal: cli.signal })
        if (options.json) return printValue(cli, { data, sources })
        await printList(cli, data, { columns: columnsAt(cli.now()), noun: 'posts' }, options)
        const troubled = sources.filter(({ status }) => status !== 'ok')
        for (const { platform, status } of troubled) cli.terminal.note(cleanLine(`${platform}: ${status}`))
      }),
    )
  addFlags(command, flags, { without: ['query'], heading: 'Search:' })
  examples(command, [
    'earshot search "acme cloud" --platforms hackernews,bluesky',
    'earshot search acme --excluded-terms "acme corporation"',
  ])
}

function columnsAt(now: Date): ListColumn<Found>[] {
  return [
    {
      title: 'match',
      cell: ({ matched }) => (matched ? 'yes' : 'no'),
      colour: ({ matched }) => (matched ? 'green' : 'dim'),
    },
    { title: 'platform', cell: ({ post }) => post.platform },
    {
      title: 'age',
      csvTitle: 'published',
      cell: ({ post }) => ago(post.publishedAt, now),
      csv: ({ post }) => post.publishedAt,
      align: 'right',
    },
    {
      title: 'author',
      cell: ({ author }) => short(author?.handle ?? author?.name ?? ''),
      csv: ({ author }) => author?.handle ?? null,
    },
    {
      title: 'text',
      cell: ({ post, reason }) => `${wordsOf(post)} ${reason === null ? '' : `[${reason}]`}`,
      csv: ({ post }) => post.text,
      isFlexible: true,
    },
  ]
}

/** In columns. */
const NAME_MAX = 20

export function short(name: string): string {
  return cut(cleanLine(name), NAME_MAX)
}
