import type { Uuid } from '../../kernel/ids.ts'
import { ARCHIVE_VERSION } from '../../queries/archive/export-workspace.ts'
import type { ArchiveRow } from '../../store/archive/archive-rows.ts'
import { ARCHIVED_TABLES, type ArchivedName } from '../../store/archive/archived-tables.ts'

/** The message says what is wrong with the archive, for the person who gave it. */
export class ArchiveProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArchiveProblem'
  }
}

export interface Manifest {
  schema: string
  exportedAt: string
  workspace: ArchiveRow & { id: Uuid; name: string }
  /** Counts at the start of the export. */
  rows: Readonly<Record<string, number>>
}

export interface ArchiveBatch {
  table: ArchivedName
  rows: ArchiveRow[]
}

type Line =
  | { archive: Manifest & { version: number } }
  | { table: ArchivedName; row: ArchiveRow }
  | { end: { rows: Readonly<Record<string, number>> } }

type Counts = Readonly<Record<string, number>>

const BATCH = 500

/** Calls `begin` with the manifest and `take` with rows of one table at a time. Rejects unless the archive is whole. */
export async function readArchive(
  lines: AsyncIterable<string>,
  begin: (manifest: Manifest) => Promise<void>,
  take: (batch: ArchiveBatch) => Promise<void>,
): Promise<void> {
  const counts: Record<string, number> = {}
  let batch: ArchiveBatch = { table: 'company', rows: [] }
  const takeRest = async () => {
    if (batch.rows.length > 0) await take(batch)
  }
  let number = 0
  let end: Counts | null = null
  for await (const text of lines) {
    number += 1
    const line = parse(text, number)
    if (end !== null) throw new ArchiveProblem(`Line ${number} follows the end of the archive.`)
    if (number === 1) await begin(manifestOf(line))
    else if ('end' in line) end = line.end.rows
    else {
      const { table, row } = rowOf(line, number)
      if (table !== batch.table || batch.rows.length === BATCH) {
        await takeRest()
        batch = { table, rows: [] }
      }
      batch.rows.push(row)
      counts[table] = (counts[table] ?? 0) + 1
    }
  }
  await takeRest()
  checkCounts(counts, end)
}

function rowOf(line: Line, number: number): { table: ArchivedName; row: ArchiveRow } {
  if (!('table' in line) || !(line.table in ARCHIVED_TABLES))
    throw new ArchiveProblem(`Line ${number} is no row of a workspace.`)
  return line
}

function checkCounts(counts: Counts, end: Counts | null): void {
  if (end === null) throw new ArchiveProblem('The archive has no end: the file is incomplete. Export it again.')
  for (const [table, count] of Object.entries(end))
    if ((counts[table] ?? 0) !== count)
      throw new ArchiveProblem(`The archive has ${counts[table] ?? 0} rows of ${table} instead of ${count}.`)
}

function parse(text: string, number: number): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    throw new ArchiveProblem(`Line ${number} is no JSON. Unpack the file first if it is compressed.`)
  }
}

function manifestOf(line: Line): Manifest {
  if (!('archive' in line)) throw new ArchiveProblem('The file is no archive of a workspace: it has no manifest.')
  if (line.archive.version !== ARCHIVE_VERSION)
    throw new ArchiveProblem(
      `The archive has version ${line.archive.version}; this installation reads ${ARCHIVE_VERSION}.`,
    )
  return line.archive
}
