import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ERROR_CODES, type ErrorCode } from '../../src/domain/refusal/error-codes.ts'
import { createMetrics, renderMetricTables } from '../../src/main/metrics.ts'
import { renderSettings } from '../../src/main/settings.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import type { Operation } from '../../src/operations/definition.ts'
import { COMPAT_CATALOGUE } from '../../src/surfaces/compat/catalogue.ts'
import { describedCompat } from '../../src/surfaces/compat/document.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { openApiDocument } from '../../src/surfaces/openapi/document.ts'
import { adapterFiles } from './adapters.ts'
import { clientSetups } from './ai-clients.ts'
import { benchmarkTables, readHistory } from './benchmarks.ts'
import { flagsFile } from './cli-flags.ts'
import { clientOperations } from './client-operations.ts'
import { eventTable, surveyLogs } from './events.ts'
import { languagesFile } from './languages.ts'
import { page, table } from './page.ts'
import { platformsFile } from './platforms.ts'
import { statePages } from './states.ts'
import { tokensSheet } from './tokens.ts'

export const FOLDER = fileURLToPath(new URL('../../docs/generated/', import.meta.url))
/** From the folder of documents. */
const TOKENS = '../../web/src/kit/tokens.css'
const PLATFORMS_FILE = '../../web/src/app/platform-table.ts'
const LANGUAGES_FILE = '../../web/src/app/languages.ts'
const CLIENT_OPERATIONS = '../../src/client/operations.ts'
const CLI_FLAGS = '../../src/cli/kit/operation-flags.txt'

/** Every document that is derived from the code and the history of benchmarks, by file name. */
export function generatedDocuments(): Map<string, string> {
  return new Map([
    ['openapi.json', `${JSON.stringify(openApiDocument(CATALOGUE), null, 2)}\n`],
    ['compat-openapi.json', `${JSON.stringify(describedCompat(COMPAT_CATALOGUE), null, 2)}\n`],
    ...tablePages(),
    ['settings.md', renderSettings()],
    ['ai-clients.md', clientPage()],
    ...dashboardFiles(),
    ...[...adapterFiles()].map(([path, text]) => [`../../${path}`, text] as const),
    [CLIENT_OPERATIONS, clientOperations(CATALOGUE)],
    [CLI_FLAGS, flagsFile()],
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

function tablePages(): [name: string, text: string][] {
  return [
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

function toolOf({ tool }: Operation): string {
  return 'hidden' in tool ? `none: ${tool.hidden}` : `\`${tool.name}\``
}
