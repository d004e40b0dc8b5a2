import type { z } from 'zod'
import { cleanLine, excerpt } from '../../kernel/text.ts'
import type { ArchivedName } from '../../store/archive/archived-tables.ts'

const MESSAGE_CHARACTERS = 500

/** The message says what is wrong with the archive, for the person who gave it. It may quote the archive. */
export class ArchiveProblem extends Error {
  constructor(message: string) {
    super(excerpt(cleanLine(message), MESSAGE_CHARACTERS))
    this.name = 'ArchiveProblem'
  }
}

/** Where a schema was not met first, and how. */
export function misfit({ issues: [issue] }: z.ZodError): { column: string; says: string } {
  return { column: issue!.path.join('.'), says: `is not what an export writes: ${issue!.message}` }
}

/** Where a row stands in the file. */
export interface RowPlace {
  line: number
  table: ArchivedName
}

/** `says` continues the name of the column, or of the table without one. */
export function rowProblem({ line, table }: RowPlace, column: string | null, says: string): ArchiveProblem {
  return new ArchiveProblem(`Line ${line}: ${table}${column === null ? '' : `.${column}`} ${says}.`)
}
