import type { Command } from 'commander'
import type { ItemOf } from '../../client/index.ts'
import type { Cli } from '../kit/cli.ts'
import { addFlags, inputOf } from '../kit/flags.ts'
import { flagsOf } from '../kit/operation-flags.ts'
import { first, type ListColumn, printFacts, printList, printValue } from '../kit/output.ts'
import { cleanText } from '../terminal/clean.ts'
import type { Colour } from '../terminal/terminal.ts'
import { ago } from '../terminal/times.ts'
import { examples, limitOption, readingCommand, withSession } from './shared.ts'

type Delivery = ItemOf<'searchDeliveries'>

export function addDeliveryCommands(program: Command, cli: Cli): void {
  const deliveries = program.command('deliveries').description('see what was sent, and send it again')
  addList(deliveries, cli)
  addShow(deliveries, cli)
  const retry = readingCommand(deliveries, 'retry', 'send a delivery that failed again', false)
    .argument('<id>', 'id of the delivery (dlv_...)')
    .action(
      withSession(cli, async ({ client }, options, id: string) => {
        const delivery = await client.retryDelivery({ id })
        if (options.json) return printValue(cli, delivery)
        await cli.terminal.line(`${delivery.id} is ${delivery.status}`)
      }),
    )
  examples(retry, ['earshot deliveries retry dlv_01h...'])
  const replay = readingCommand(
    deliveries,
    'replay',
    'send the contents of a delivery once more, as a new delivery',
    false,
  )
    .argument('<id>', 'id of the delivery (dlv_...)')
    .action(
      withSession(cli, async ({ client }, options, id: string) => {
        const delivery = await client.replayDelivery({ id })
        if (options.json) return printValue(cli, delivery)
        await cli.terminal.line(`${delivery.id} is ${delivery.status}; it has the contents of ${id}`)
      }),
    )
  examples(replay, ['earshot deliveries replay dlv_01h...'])
}

function addList(deliveries: Command, cli: Cli): void {
  const flags = flagsOf('search-deliveries')
  const command = readingCommand(deliveries, 'list', 'list deliveries of all channels, newest first')
    .addOption(limitOption(25))
    .action(
      withSession(cli, async ({ client }, options) => {
        const limit = Number(options['limit'])
        const input = { ...inputOf(flags, options, cli.now()), limit: Math.min(limit, 100) }
        const items = first(client.searchDeliveries(input, { signal: cli.signal }), limit)
        await printList(cli, items, { columns: columnsAt(cli.now()), noun: 'deliveries' }, options)
      }),
    )
  addFlags(command, flags, { heading: 'Filters:' })
  examples(command, [
    'earshot deliveries list --status failed --since 24h',
    'earshot deliveries list --channel-id dest_01h... --csv',
  ])
}

function columnsAt(now: Date): ListColumn<Delivery>[] {
  return [
    { title: 'id', cell: ({ id }) => id, colour: () => 'dim' },
    {
      title: 'age',
      csvTitle: 'created',
      cell: ({ createdAt }) => ago(createdAt, now),
      csv: ({ createdAt }) => createdAt,
      align: 'right',
    },
    { title: 'status', cell: ({ status }) => status, colour: ({ status }) => STATUS_COLOURS[status] ?? null },
    { title: 'tries', cell: ({ attempts }) => String(attempts), csv: ({ attempts }) => attempts, align: 'right' },
    { title: 'event', cell: ({ event }) => event },
    { title: 'what', cell: ({ mention, alert }) => mention?.text ?? alert?.name ?? '', isFlexible: true },
  ]
}

const STATUS_COLOURS: Readonly<Record<string, Colour>> = {
  delivered: 'green',
  failed: 'red',
  pending: 'yellow',
  held: 'yellow',
}

function addShow(deliveries: Command, cli: Cli): void {
  const command = readingCommand(deliveries, 'show', 'show a delivery with its attempts', false)
    .argument('<id>', 'id of the delivery (dlv_...)')
    .action(
      withSession(cli, async ({ client }, options, id: string) => {
        const delivery = await client.getDelivery({ id })
        if (options.json) return printValue(cli, delivery)
        await printFacts(cli, [
          ['delivery', delivery.id],
          ['channel', `${delivery.channelId} (${delivery.kind})`],
          ['event', delivery.event],
          ['status', delivery.status],
          ['created', delivery.createdAt],
          ['sent', delivery.sentAt],
          ['next try', delivery.nextAttemptAt],
          ['rule', delivery.alert?.name ?? null],
          ['mention', delivery.mention === null ? null : `${delivery.mention.id} ${delivery.mention.url}`],
        ])
        for (const { number, at, durationMs, outcome, response } of delivery.attemptLog) {
          const status = response?.status ?? null
          const facts = [at, `${durationMs} ms`, outcome, status === null ? '' : `HTTP ${status}`].filter(Boolean)
          await cli.terminal.line(`\nattempt ${number}  ${facts.join('  ')}`)
          const body = cleanText(response?.body ?? '').slice(0, 500)
          if (body !== '') await cli.terminal.line(body.replace(/^/gm, '  '))
        }
      }),
    )
  examples(command, ['earshot deliveries show dlv_01h...'])
}
