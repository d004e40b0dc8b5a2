import { readFileSync } from 'node:fs'
import type { BenchRow } from '../../bench/contract.ts'

const HISTORY = new URL('../../docs/benchmarks/history.jsonl', import.meta.url)

/** One line of the history: what a run printed, and under which circumstances. */
export interface BenchRun {
  bench: string
  machine: { cpu: string; cores: number; memoryGb: number; node: string; date: string }
  command: string
  /** Null where the run was of a state between commits. */
  commit: string | null
  note: string
  rows: BenchRow[]
}

/** The runs in the file, the oldest first. */
export function readHistory(file: URL = HISTORY): BenchRun[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BenchRun)
}

/** A table for each benchmark with the newest figure of every measure. */
export function benchmarkTables(runs: readonly BenchRun[]): string {
  const names = [...new Set(runs.map(({ bench }) => bench))].sort()
  return names
    .map((name) =>
      benchmarkTable(
        name,
        runs.filter(({ bench }) => bench === name),
      ),
    )
    .join('\n\n')
}

function benchmarkTable(name: string, runs: readonly BenchRun[]): string {
  const newest = new Map<string, { row: BenchRow; run: BenchRun }>()
  for (const run of runs) for (const row of run.rows) newest.set(row.measure, { row, run })
  const used = runs.filter((run) => [...newest.values()].some((figure) => figure.run === run)).toReversed()
  const figures = used.flatMap((run) => [...newest.values()].filter((figure) => figure.run === run))
  return [
    `## ${name}`,
    '',
    `\`npm run bench -- ${name}\``,
    '',
    ...used.map((run, at) => `- Run ${at + 1}: ${circumstances(run)}`),
    '',
    '| Measure | Figure | Must | Goal | Standing | Run |',
    '| --- | ---: | ---: | ---: | --- | ---: |',
    ...figures.map(({ row, run }) => `| ${cells(row).join(' | ')} | ${used.indexOf(run) + 1} |`),
  ].join('\n')
}

function circumstances({ machine, commit, note, command }: BenchRun): string {
  const where = `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}`
  const of = commit === null ? '' : `, commit ${commit}`
  const quick = command.endsWith('--quick') ? ', with `--quick`' : ''
  return `${machine.date}, ${where}${of}${quick}. ${note[0]!.toUpperCase()}${note.slice(1)}.`
}

function cells(row: BenchRow): string[] {
  return [row.measure, withUnit(row.value, row.unit), limit(row, row.must), limit(row, row.goal), standing(row)]
}

/** How a figure stands to what it has to reach; empty where nothing is asked of it. */
export function standing(row: BenchRow): string {
  if (row.must !== undefined && !reaches(row, row.must)) return '**misses must**'
  if (row.goal !== undefined && reaches(row, row.goal)) return 'goal'
  if (row.must !== undefined) return 'must'
  return row.goal === undefined ? '' : 'short of the goal'
}

function reaches({ better, value }: BenchRow, wanted: number): boolean {
  return better === 'lower' ? value <= wanted : value >= wanted
}

function limit({ better }: BenchRow, value: number | undefined): string {
  return value === undefined ? '' : `${better === 'lower' ? '≤' : '≥'} ${figure(value)}`
}

function withUnit(value: number, unit: string): string {
  return unit.startsWith('/') ? `${figure(value)}${unit}` : `${figure(value)} ${unit}`.trim()
}

/** Large figures in groups of three digits. */
function figure(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(value)
}
