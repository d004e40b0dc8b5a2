import { type Command, Option } from 'commander'
import { csvLine } from '../../kernel/csv.ts'
import { cleanJson, cleanLine } from '../terminal/clean.ts'
import { type Column, tableOf } from '../terminal/table.ts'
import type { Cli } from './cli.ts'

export interface OutputOptions {
  json?: true
  csv?: true
}

/** A column that a file gets too, with its whole value where people see a short one. */
export interface ListColumn<Item> extends Column<Item> {
  csv?(item: Item): string | number | boolean | null
  /** In a file, where the title for people is short or says what only they are shown. */
  csvTitle?: string
}

export interface Listing<Item> {
  columns: readonly ListColumn<Item>[]
  /** What there is none of, such as "keywords". */
  noun: string
}

const HEADING = 'Output:'

export function addOutput(command: Command, { csv = true }: { csv?: boolean } = {}): Command {
  command.addOption(new Option('--json', 'print JSON, one value a line for lists').helpGroup(HEADING))
  if (csv) command.addOption(new Option('--csv', 'print CSV').conflicts('json').helpGroup(HEADING))
  return command
}

/** Prints a list in the form that was asked for, and says on standard error when it is empty. */
export async function printList<Item>(
  cli: Cli,
  items: AsyncIterable<Item> | Iterable<Item>,
  { columns, noun }: Listing<Item>,
  { json, csv }: OutputOptions,
): Promise<number> {
  const { terminal } = cli
  const kept: Item[] = []
  let count = 0
  if (csv) await terminal.write(csvLine(columns.map(({ title, csvTitle }) => csvTitle ?? title)))
  for await (const item of items) {
    count += 1
    if (json) await terminal.line(cleanJson(item))
    else if (csv) await terminal.write(csvLine(columns.map((column) => csvCell(cli, column, item))))
    else kept.push(item)
    if (count % 100 === 0) terminal.progress(`${count} ${noun} read`)
  }
  terminal.clearProgress()
  if (kept.length > 0) await terminal.write(tableOf(columns, kept, terminal))
  if (count === 0 && !json && !csv) terminal.note(`No ${noun}.`)
  return count
}

/** Files get the text as it is; a terminal must not obey it. */
function csvCell<Item>({ terminal }: Cli, { csv, cell }: ListColumn<Item>, item: Item) {
  const value = csv === undefined ? cell(item) : csv(item)
  return typeof value === 'string' && terminal.isForPeople ? cleanLine(value) : value
}

export async function printValue({ terminal }: Cli, value: unknown): Promise<void> {
  await terminal.line(cleanJson(value, terminal.isForPeople ? 2 : undefined))
}

/** Facts of one thing, a line each. */
export async function printFacts({ terminal }: Cli, facts: readonly (readonly [name: string, value: string | null])[]) {
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown)
    await terminal.line(`${terminal.paint('dim', name.padEnd(width))}  ${cleanLine(value)}`)
}

/** At most so many of what pages hold. */
export async function* first<Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<Item> {
  let left = most
  if (left <= 0) return
  for await (const item of items) {
    yield item
    left -= 1
    if (left === 0) return
  }
}
