import { type Command, InvalidArgumentError, Option } from 'commander'
import { isTimezone } from '../../kernel/local-days.ts'
import type { Cli } from '../kit/cli.ts'
import { addFlags, inputOf } from '../kit/flags.ts'
import { flagsOf } from '../kit/operation-flags.ts'
import { saveWhole } from '../kit/save.ts'
import { REPORT_FORMATS, type ReportFormat } from '../report/formats.ts'
import { clientCommand, examples, findKeyword, wholeNumber, withSession } from './shared.ts'

/** The period is given by the number of days. */
const OWN: ReadonlySet<string> = new Set(['range', 'from', 'to', 'timezone', 'compare'])

export function addReportCommand(program: Command, cli: Cli): void {
  const flags = flagsOf('get-analytics-summary').filter(({ field }) => !OWN.has(field))
  const command = clientCommand(program, 'report', 'print a report of a period: as text, Markdown, or HTML for a mail')
    .addOption(new Option('--days <n>', 'length of the period').argParser(wholeNumber(1, 365)).default(7))
    .addOption(new Option('--format <format>', 'form of the report').choices(REPORT_FORMATS).default('text'))
    .option('--timezone <zone>', 'zone of the days, such as Europe/Berlin', timezoneName, 'UTC')
    .option('-o, --output <file>', 'write to this file instead of standard output')
    .addOption(new Option('--keyword <term>', 'only the keyword with this term or id').conflicts('keywordIds'))
    .action(
      withSession(cli, async ({ client, url }, options) => {
        const [{ gatherReport }, { renderReport }] = await Promise.all([
          import('../report/gather.ts'),
          import('../report/render.ts'),
        ])
        const { keyword, days, format, timezone, output } = options
        const given = inputOf(flags, options, cli.now())
        const filter =
          typeof keyword === 'string' ? { ...given, keywordIds: [(await findKeyword(client, keyword)).id] } : given
        const asked = { filter, days: Number(days), timezone: String(timezone), url }
        const report = await gatherReport(cli, client, asked)
        const text = renderReport(report, format as ReportFormat, cli.terminal)
        if (typeof output !== 'string') return cli.terminal.write(text)
        await saveWhole(output, text)
        cli.terminal.note(`The report is in ${output}`)
      }),
    )
  addFlags(command, flags, { heading: 'Filters:' })
  examples(command, [
    'earshot report --days 7',
    'earshot report --days 30 --keyword acme --format markdown -o report.md',
    'earshot report --format html | mail -a "Content-Type: text/html" -s "Mentions of the week" team@example.com',
  ])
}

function timezoneName(text: string): string {
  if (!isTimezone(text)) throw new InvalidArgumentError('must be the name of a time zone, such as Europe/Berlin')
  return text
}
