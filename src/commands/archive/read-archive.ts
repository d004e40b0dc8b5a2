import { z } from 'zod'
import { DELIVERIES_KEPT, MENTIONS_KEPT } from '../../domain/workspace/retention.ts'
import { WORKSPACE_NAME_MAX } from '../../domain/workspace/workspace.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { cleanLine } from '../../kernel/text.ts'
import { ARCHIVE_VERSION } from '../../queries/archive/export-workspace.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import { ARCHIVED_TABLES, type ArchivedName } from '../../store/archive/archived-tables.ts'
import { ArchiveProblem, misfit, rowProblem } from './archive-problem.ts'

const COUNTS = z.record(z.string().max(100), z.int().min(0))
export const uuid = z.guid().transform((id) => id.toLowerCase() as Uuid)
export const instant = z.iso.datetime({ offset: true })

const WORKSPACE = z.object({
  id: uuid,
  name: z
    .string()
    .transform(cleanLine)
    .refine(
      (name) => name !== '' && [...name].length <= WORKSPACE_NAME_MAX,
      `must have 1 to ${WORKSPACE_NAME_MAX} characters`,
    ),
  created_at: instant,
  last_credit_units: z.int().min(0),
  last_top_up_at: instant.nullable(),
  welcome_limits: z.boolean(),
  low_told: z.boolean(),
  settled_through: z.iso.date(),
  mentions_kept_days: z.int().min(MENTIONS_KEPT.min).max(MENTIONS_KEPT.max).nullable(),
  deliveries_kept_days: z.int().min(DELIVERIES_KEPT.min).max(DELIVERIES_KEPT.max).nullable(),
})

const MANIFEST = z.object({
  schema: z.string().max(200),
  exportedAt: instant,
  workspace: WORKSPACE,
  /** How many the archive holds, for progress. */
  rows: COUNTS,
})
export type Manifest = z.output<typeof MANIFEST>

export interface LocatedRow {
  line: number
  row: ArchiveRow
}

export interface ArchiveBatch {
  table: ArchivedName
  rows: LocatedRow[]
}

/** Bounds of a batch. */
const BATCH = 500
const BATCH_CHARACTERS = 4_000_000

/** Columns hold values of a few levels. */
const DEEPEST = 60

const TABLES = Object.keys(ARCHIVED_TABLES) as ArchivedName[]

/** Calls `begin` with the manifest and `take` with rows of one table at a time. Rejects unless the archive is whole. */
export async function readArchive(
  lines: AsyncIterable<string>,
  begin: (manifest: Manifest) => Promise<void>,
  take: (batch: ArchiveBatch) => Promise<void>,
): Promise<void> {
  const counts: Record<string, number> = {}
  let batch: ArchiveBatch = { table: TABLES[0]!, rows: [] }
  let [number, characters] = [0, 0]
  let end: z.output<typeof COUNTS> | null = null
  for await (const text of lines) {
    number += 1
    const line = parse(text, number)
    if (end !== null) throw new ArchiveProblem(`Line ${number} follows the end of the archive.`)
    if (number === 1) await begin(manifestOf(line))
    else if ('end' in line) end = endOf(line['end'], number)
    else {
      const { table, row } = rowOf(line, number, batch.table)
      if (table !== batch.table || batch.rows.length === BATCH || characters > BATCH_CHARACTERS) {
        if (batch.rows.length > 0) await take(batch)
        batch = { table, rows: [] }
        characters = 0
      }
      batch.rows.push({ line: number, row })
      characters += text.length
      counts[table] = (counts[table] ?? 0) + 1
    }
  }
  if (batch.rows.length > 0) await take(batch)
  checkCounts(counts, end)
}

/** `before` is the table of the row before. */
function rowOf(line: ArchiveRow, number: number, before: ArchivedName): { table: ArchivedName; row: ArchiveRow } {
  const { table: name, row } = line
  const table = TABLES.find((known) => known === name)
  if (table === undefined) throw new ArchiveProblem(`Line ${number} is no row of a workspace.`)
  if (!isObject(row)) throw rowProblem({ line: number, table }, null, 'has a row that is no object')
  if (TABLES.indexOf(table) < TABLES.indexOf(before))
    throw rowProblem({ line: number, table }, null, `follows ${before}: the rows are in another order than an export's`)
  return { table, row }
}

function checkCounts(counts: Readonly<Record<string, number>>, end: Readonly<Record<string, number>> | null): void {
  if (end === null) throw new ArchiveProblem('The archive has no end: the file is incomplete. Export it again.')
  for (const table of new Set([...Object.keys(end), ...Object.keys(counts)]))
    if ((counts[table] ?? 0) !== (end[table] ?? 0))
      throw new ArchiveProblem(`The archive has ${counts[table] ?? 0} rows of ${table} instead of ${end[table] ?? 0}.`)
}

function parse(text: string, number: number): ArchiveRow {
  const line = parsed(text, number)
  if (!isObject(line) || isDeeper(line, DEEPEST)) throw new ArchiveProblem(`Line ${number} is no line of an archive.`)
  return line
}

function parsed(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveProblem(`Line ${number} is no JSON. Unpack the file first if it is compressed.`)
  }
}

function isObject(value: unknown): value is ArchiveRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

function endOf(end: unknown, number: number): z.output<typeof COUNTS> {
  const { success, data } = z.object({ rows: COUNTS }).safeParse(end)
  if (!success) throw new ArchiveProblem(`Line ${number} is no end of an archive.`)
  return data.rows
}

function manifestOf(line: ArchiveRow): Manifest {
  const { archive } = line
  if (!isObject(archive)) throw new ArchiveProblem('The file is no archive of a workspace: it has no manifest.')
  if (archive['version'] !== ARCHIVE_VERSION)
    throw new ArchiveProblem(
      `The archive has version ${JSON.stringify(archive['version'])}; this installation reads ${ARCHIVE_VERSION}.`,
    )
  const { success, data, error } = MANIFEST.safeParse(archive)
  if (success) return data
  const { column, says } = misfit(error)
  throw new ArchiveProblem(`Line 1: archive.${column} ${says}.`)
}
