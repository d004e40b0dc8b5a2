import type { Command } from 'commander'
import type { Schema } from '../../client/index.ts'
import { COMMAND } from '../../kernel/checkout.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError } from '../kit/exit-codes.ts'
import { type ListColumn, printFacts, printList, printValue } from '../kit/output.ts'
import { cleanLine } from '../terminal/clean.ts'
import { ago } from '../terminal/times.ts'
import { clientCommand, examples, readingCommand, withSession } from './shared.ts'

type Alert = Schema<'Alert'>
type Channel = Schema<'Channel'>

export function addAlertCommands(program: Command, cli: Cli): void {
  const alerts = program.command('alerts').description('list alert rules, and switch them on and off')
  const list = readingCommand(alerts, ['list', { isDefault: true }], 'list alert rules').action(
    withSession(cli, async ({ client }, options) => {
      const { data } = await client.listAlerts()
      await printList(cli, data, { columns: alertColumns(cli.now()), noun: 'alert rules' }, options)
    }),
  )
  examples(list, ['earshot alerts'])
  const show = clientCommand(alerts, 'show', 'print an alert rule as JSON')
    .argument('<id>', 'id of the rule (feed_...)')
    .action(
      withSession(cli, async ({ client }, _options, id: string) => printValue(cli, await client.getAlert({ id }))),
    )
  examples(show, ['earshot alerts show feed_01h...'])
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const command = readingCommand(alerts, name, `switch an alert rule ${enabled ? 'on' : 'off'}`, false)
      .argument('<id>', 'id of the rule (feed_...)')
      .action(
        withSession(cli, async ({ client }, options, id: string) => {
          const changed = await client.updateAlert({ id, enabled })
          if (options.json) return printValue(cli, changed)
          await cli.terminal.line(`${cleanLine(changed.name)} is ${changed.enabled ? 'on' : 'off'}`)
        }),
      )
    examples(command, [`earshot alerts ${name} feed_01h...`])
  }
}

function alertColumns(now: Date): ListColumn<Alert>[] {
  return [
    { title: 'id', cell: ({ id }) => id, colour: () => 'dim' },
    { title: 'name', cell: ({ name }) => name, isFlexible: true },
    {
      title: 'state',
      cell: ({ enabled }) => (enabled ? 'on' : 'off'),
      colour: ({ enabled }) => (enabled ? null : 'yellow'),
    },
    { title: 'mode', cell: ({ mode }) => mode },
    {
      title: '7 days',
      cell: ({ stats }) => String(stats.sentLast7d),
      csv: ({ stats }) => stats.sentLast7d,
      align: 'right',
    },
    {
      title: 'last',
      cell: ({ stats }) => ago(stats.lastSentAt, now),
      csv: ({ stats }) => stats.lastSentAt,
      align: 'right',
    },
  ]
}

export function addChannelCommands(program: Command, cli: Cli): void {
  const channels = program.command('channels').description('list channels, and send a test to one')
  const list = readingCommand(channels, ['list', { isDefault: true }], 'list channels').action(
    withSession(cli, async ({ client }, options) => {
      const { data } = await client.listChannels()
      await printList(cli, data, { columns: channelColumns(cli.now()), noun: 'channels' }, options)
    }),
  )
  examples(list, ['earshot channels'])
  const show = clientCommand(channels, 'show', 'print a channel as JSON')
    .argument('<id>', 'id of the channel (dest_...)')
    .action(
      withSession(cli, async ({ client }, _options, id: string) => printValue(cli, await client.getChannel({ id }))),
    )
  examples(show, ['earshot channels show dest_01h...'])
  const command = readingCommand(channels, 'test', 'send a test delivery to a channel', false)
    .argument('<id>', 'id of the channel (dest_...)')
    .action(
      withSession(cli, async ({ client }, options, id: string) => {
        cli.terminal.progress('Sending')
        const { outcomes } = await client.testChannel({ id }, { signal: cli.signal })
        if (options.json) await printValue(cli, { outcomes })
        else
          await printFacts(
            cli,
            outcomes.map(({ ok, error }) => [ok ? 'sent' : 'failed', error ?? 'accepted']),
          )
        if (outcomes.some(({ ok }) => !ok))
          throw new CommandError(`The test did not arrive. Run: ${COMMAND} deliveries list`)
      }),
    )
  examples(command, ['earshot channels test dest_01h...'])
}

function channelColumns(now: Date): ListColumn<Channel>[] {
  return [
    { title: 'id', cell: ({ id }) => id, colour: () => 'dim' },
    { title: 'label', cell: ({ label }) => label, isFlexible: true },
    { title: 'kind', cell: ({ kind }) => kind },
    {
      title: 'state',
      cell: ({ enabled }) => (enabled ? 'on' : 'off'),
      colour: ({ enabled }) => (enabled ? null : 'yellow'),
    },
    {
      title: 'rules',
      cell: ({ stats }) => String(stats.activeAlerts),
      csv: ({ stats }) => stats.activeAlerts,
      align: 'right',
    },
    {
      title: 'last',
      cell: ({ stats }) => ago(stats.lastDeliveryAt, now),
      csv: ({ stats }) => stats.lastDeliveryAt,
      align: 'right',
    },
  ]
}
