import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { BenchRow } from './contract.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
const HISTORY = join(HERE, '..', 'docs', 'benchmarks', 'history.jsonl')
const SUFFIX = '.bench.ts'

/** Runs one benchmark and prints the machine, a table and one line of JSON with the same figures. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, record: { type: 'string' } },
  })
  const [name] = positionals
  const names = readdirSync(HERE)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
  if (name === undefined || !names.includes(name)) {
    console.error(
      `Usage: npm run bench -- NAME [--quick] [--record NOTE], where NAME is one of: ${names.sort().join(', ')}`,
    )
    process.exitCode = 1
    return
  }
  const machine = machineFacts()
  console.log(
    `bench ${name}${values.quick ? ' (quick)' : ''}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} ` +
      `GB, Node ${machine.node}, ${machine.date}`,
  )
  const { run } = (await import(pathToFileURL(join(HERE, `${name}${SUFFIX}`)).href)) as {
    run(options: { quick: boolean }): Promise<BenchRow[]>
  }
  const rows = await run({ quick: values.quick })
  console.log(table(rows))
  const result = { bench: name, quick: values.quick, machine, rows }
  console.log(JSON.stringify(result))
  if (values.record !== undefined) record(result, values.record)
}

/** Appends a result to the history that docs/generated/benchmarks.md is made from. */
function record(result: { bench: string; quick: boolean; rows: readonly BenchRow[] }, note: string): void {
  const command = `npm run bench -- ${result.bench}${result.quick ? ' --quick' : ''}`
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: HERE, encoding: 'utf8' }).trim()
  const rows = result.rows.map((row) => ({ ...row, value: Number(row.value.toPrecision(4)) }))
  appendFileSync(HISTORY, `${JSON.stringify({ ...result, rows, commit, command, note })}\n`)
}

function machineFacts() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  }
}

const HEAD = ['measure', 'value', 'must', 'met', 'goal', 'met', 'peer', 'note']

/** Columns that hold nothing in any row are left out; figures stand to the right. */
function table(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.measure,
    `${figure(row.value)} ${row.unit}`,
    limit(row, row.must),
    met(row, row.must),
    limit(row, row.goal),
    met(row, row.goal),
    figure(row.peer),
    row.note ?? '',
  ])
  const used = HEAD.map((_, column) => column).filter((column) => cells.some((row) => row[column] !== ''))
  const widths = used.map((column) => Math.max(HEAD[column]!.length, ...cells.map((row) => row[column]!.length)))
  const isText = (column: number) => [0, 3, 5, 7].includes(column)
  const line = (row: readonly string[]) =>
    used
      .map((column, at) => (isText(column) ? row[column]!.padEnd(widths[at]!) : row[column]!.padStart(widths[at]!)))
      .join('  ')
      .trimEnd()
  return [line(HEAD), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.map(line)].join('\n')
}

function limit({ better }: BenchRow, value: number | undefined): string {
  return value === undefined ? '' : `${better === 'lower' ? '≤' : '≥'} ${figure(value)}`
}

function met({ better, value }: BenchRow, wanted: number | undefined): string {
  if (wanted === undefined) return ''
  return (better === 'lower' ? value <= wanted : value >= wanted) ? 'yes' : 'NO'
}

/** Large figures as whole numbers in groups of three, small ones with three digits that count. */
function figure(value: number | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
