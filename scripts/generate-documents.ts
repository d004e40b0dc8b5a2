import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { DELIVERY_TRANSITIONS, type Trigger } from '../src/domain/delivery/lifecycle.ts'
import {
  type CapCondition,
  KEYWORD_TRANSITIONS,
  type RunningEvent,
  type Stop,
  type Transition,
} from '../src/domain/keyword/lifecycle.ts'
import { ERROR_CODES, type ErrorCode } from '../src/domain/refusal/error-codes.ts'
import { createMetrics, renderMetricTables } from '../src/main/metrics.ts'
import { renderSettings } from '../src/main/settings.ts'
import { CATALOGUE } from '../src/operations/catalogue.ts'
import type { Operation } from '../src/operations/definition.ts'
import { COMPAT_CATALOGUE } from '../src/surfaces/compat/catalogue.ts'
import { describedCompat } from '../src/surfaces/compat/document.ts'
import { toolsOf } from '../src/surfaces/mcp/tools.ts'
import { openApiDocument } from '../src/surfaces/openapi/document.ts'
import { clientSetups } from './documents/ai-clients.ts'
import { benchmarkTables, readHistory } from './documents/benchmarks.ts'
import { flagsSource } from './documents/cli-flags.ts'
import { clientOperations } from './documents/client-operations.ts'
import { eventTable, surveyLogs } from './documents/events.ts'
import { languagesFile } from './documents/languages.ts'
import { platformsFile } from './documents/platforms.ts'
import { schemaDocument } from './documents/schema.ts'
import { tokensSheet } from './documents/tokens.ts'

const FOLDER = fileURLToPath(new URL('../docs/generated/', import.meta.url))
/** From the folder of documents. */
const TOKENS = '../../web/src/kit/tokens.css'
const PLATFORMS_FILE = '../../web/src/app/platform-table.ts'
const LANGUAGES_FILE = '../../web/src/app/languages.ts'
const CLIENT_OPERATIONS = '../../src/client/operations.ts'
const CLI_FLAGS = '../../src/cli/kit/operation-flags.data.ts'

/** Every document that is derived from the code and the history of benchmarks, by file name. */
export function generatedDocuments(): Map<string, string> {
  return new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(CATALOGUE), null, 2)}\n`],
    ['compat-openapi.json', `${JSON.stringify(describedCompat(COMPAT_CATALOGUE), null, 2)}\n`],
    [
      'errors.md',
      page(
        'Error codes',
        'Every error has the form `{ "error": { "code", "message", "requestId", "retryAfterSeconds"? } }`. ' +
          'Programs go by the code.',
        errorTable(),
      ),
    ],
    [
      'operations.md',
      page(
        'Operations',
        'What callers can do, and the tool that does the same. Codes that every operation of a form can give are ' +
          'left out.',
        operationTable(),
      ),
    ],
    [
      'metrics.md',
      page(
        'Metrics',
        'What `GET /metrics` tells operators, in the text format of Prometheus. All figures are those of the ' +
          'process that is asked.\nBeside these stand the figures of the runtime, which begin with `process_` and ' +
          '`nodejs_`. What to watch: [operations](../guides/monitor.md).',
        renderMetricTables(createMetrics()),
      ),
    ],
    [
      'events.md',
      page(
        'Log events',
        'The service writes one JSON object a line to standard error. `event` names what happened and has the same ' +
          '`msg` on every line. Every line also has `time` and `level`, and `err` has the error. What to do about ' +
          'the ones that matter: [operations](../guides/monitor.md).',
        eventTable(surveyLogs().events),
      ),
    ],
    [
      'benchmarks.md',
      page(
        'Figures of the benchmarks',
        'The newest figure of every measure, from [the history](../benchmarks/history.jsonl). How to run and read ' +
          'the benchmarks: [benchmarks](../how-it-works/benchmarks.md).',
        benchmarkTables(readHistory()),
      ),
    ],
    ['settings.md', renderSettings()],
    ['ai-clients.md', clientPage()],
    ...dashboardFiles(),
    [CLIENT_OPERATIONS, clientOperations(CATALOGUE)],
    [CLI_FLAGS, flagsSource()],
    ...statePages(),
    // With every bound and field, which lists leave out.
    ['tools.json', `${JSON.stringify({ tools: toolsOf(CATALOGUE).map(({ whole }) => whole) }, null, 2)}\n`],
  ])
}

function dashboardFiles(): [name: string, text: string][] {
  return [
    [TOKENS, tokensSheet()],
    [PLATFORMS_FILE, platformsFile()],
    [LANGUAGES_FILE, languagesFile()],
  ]
}

function statePages(): [name: string, text: string][] {
  return [
    [
      'states.md',
      page(
        'Running states of a keyword',
        'What happens to a keyword, row by row; where none fits it stays as it is and nobody is told. Events are ' +
          'account events, recorded in the transaction of the change.\n\nA keyword is stopped by one thing at a ' +
          'time, or by nothing. Whether the limit of the month is reached is told apart from that: a keyword that ' +
          'is stopped can be capped too, and is then found capped when it runs again.',
        stateTable(),
      ),
    ],
    [
      'delivery-states.md',
      page(
        'States of a delivery',
        'What happens to a delivery; the first row that fits decides, and where none fits it stays as it is. What ' +
          'the states mean to a receiver, and how long is tried: [delivery](../guides/deliveries.md).',
        deliveryTable(),
      ),
    ],
  ]
}

/** The names of documents that differ from what would be generated now. */
export async function outdatedDocuments(documents = generatedDocuments()): Promise<string[]> {
  const outdated: string[] = []
  for (const [name, text] of documents) {
    const present = await readFile(FOLDER + name, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (present !== text) outdated.push(name)
  }
  return outdated
}

async function main(args: readonly string[]): Promise<void> {
  const documents = generatedDocuments().set('schema.sql', await schemaDocument())
  if (args.includes('--check')) {
    const outdated = await outdatedDocuments(documents)
    if (outdated.length === 0) return
    console.error(`docs/generated is not what the code says: ${outdated.join(', ')}. Run npm run generate.`)
    process.exitCode = 1
    return
  }
  await mkdir(FOLDER, { recursive: true })
  for (const [name, text] of documents) await writeFile(FOLDER + name, text)
}

function page(title: string, introduction: string, table: string): string {
  return `# ${title}\n\n<!-- Generated by npm run generate; changes are lost. -->\n\n${introduction}\n\n${table}\n`
}

function clientPage(): string {
  return page(
    'Set up AI clients',
    'Ready set-ups for the clients that people use. `http://localhost:4400` stands for the address of your ' +
      'installation.\nThe dashboard has the same at `/developers`, with your address filled in. What a connected ' +
      'program may do: [connect an AI client](../guides/ai-client.md).',
    clientSetups(),
  )
}

function errorTable(): string {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return table(
    ['Code', 'Status', 'Meaning', 'Worth retrying unchanged'],
    codes.map((code) => [
      `\`${code}\``,
      ERROR_CODES[code].statuses.join(', '),
      ERROR_CODES[code].meaning,
      'retryable' in ERROR_CODES[code] ? 'yes' : 'no',
    ]),
  )
}

function operationTable(): string {
  const rows = CATALOGUE.map((operation) => [
    operation.tag,
    `\`${operation.method} ${operation.path}\``,
    operation.summary,
    operation.access,
    operation.status.toString(),
    operation.errors.map((code) => `\`${code}\``).join(', '),
    toolOf(operation),
  ])
  return table(['Chapter', 'Request', 'Does', 'Access', 'Status', 'Own codes', 'Tool'], rows)
}

function stateTable(): string {
  return table(
    ['State', 'Trigger', 'Condition', 'Next state', 'Event'],
    KEYWORD_TRANSITIONS.map((row) => [
      statesOf(row.stops, row.capped),
      TRIGGERS[row.trigger],
      conditionOf(row),
      nextOf(row),
      eventOf(row.event),
    ]),
  )
}

function deliveryTable(): string {
  return table(
    ['State', 'Trigger', 'Condition', 'Next state'],
    DELIVERY_TRANSITIONS.map(({ from, on, to, when, check }) => [
      from.join(', '),
      HAPPENINGS[on],
      when ?? (check ? 'nothing speaks against it' : ''),
      to,
    ]),
  )
}

const HAPPENINGS: Readonly<Record<Trigger['kind'], string>> = {
  accepted: 'the receiver accepts it',
  temporary_failure: 'an attempt fails in a way that may pass',
  permanent_failure: 'an attempt fails for good',
  defer: 'the destination takes no more at this moment; it is tried later, and that is no attempt',
  hold: 'it cannot be sent for now',
  cancel: 'it is no longer wanted',
  room: 'there is room again for what was held for want of it',
  retry: 'somebody asks to go on with it',
  replay: 'somebody asks for its contents once more',
}

const STATES: Readonly<Record<Stop, string>> = {
  nothing: 'running',
  'the caller': 'muted',
  'the balance': 'muted, pausedForBalance',
  noise: 'muted, pausedForNoise',
}

function statesOf(stops: readonly Stop[], capped: boolean | null): string {
  const all = Object.keys(STATES).length
  const isMuted = stops.length === all - 1 && !stops.includes('nothing')
  const some = isMuted ? 'any that is muted' : stops.map((stop) => STATES[stop]).join(' or ')
  const shown = stops.length === all ? 'any' : some
  if (capped === null) return shown
  return `${shown}; ${capped ? 'pausedForCap' : 'not capped'}`
}

function nextOf({ stops, capped, to }: Transition): string {
  return Object.keys(to).length === 0 ? 'stays' : statesOf(to.stop ? [to.stop] : stops, to.capped ?? capped)
}

function conditionOf({ condition }: Transition): string {
  return condition === null ? '' : condition.map((condition) => CONDITIONS[condition]).join(' or ')
}

function eventOf(event: RunningEvent | null): string {
  if (event === null) return 'none'
  return 'reason' in event ? `\`${event.event}\`, reason ${event.reason}` : `\`${event.event}\``
}

const CONDITIONS: Readonly<Record<CapCondition, string>> = {
  'no limit': 'no limit is in force',
  'limit above the count': 'the limit in force is above the count of this month',
  'limit at or below the count': 'the limit in force is at or below the count of this month',
}

const TRIGGERS: Readonly<Record<Transition['trigger'], string>> = {
  mute: 'the caller mutes',
  unmute: 'the caller unmutes, and the balance covers another day',
  rules_changed:
    'the caller changes required or excluded terms, platforms or context, and the balance covers another day',
  noise_found: 'scoring finds mostly noise while the welcome credit pays',
  cap_reached: 'the matches of this month reach the limit',
  cap_changed: 'the caller sets or removes the limit',
  welcome_lifted: 'the first top-up lifts the limit of the welcome credit',
  month_turned: 'a month begins (UTC)',
  balance_short: 'the balance cannot cover the next day, or is used up',
  balance_restored: 'a credit covers a day of all keywords',
}

function toolOf({ tool }: Operation): string {
  return 'hidden' in tool ? `none: ${tool.hidden}` : `\`${tool.name}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
