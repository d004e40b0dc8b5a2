import { z } from 'zod'
import { listOf, textLike, webOrigin } from '../../kernel/setting-forms.ts'
import type { GivenSettings, SettingsTable, ValuesOf } from '../../kernel/settings.ts'

export interface CellAddress {
  name: string
  /** The origin under which the door reaches the cell. */
  origin: string
}

export interface CellSettings {
  /** Of a door; empty for every other process. */
  cells: readonly CellAddress[]
  /** The name of the cell that new accounts go to; null without cells. */
  newCell: string | null
  cellsSecret: string | null
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/
const CELLS_MAX = 100

export const CELL_SETTINGS = {
  CELLS: {
    meaning: 'Cells behind this door, in the order in which the door asks them. Only for the role door.',
    form: 'name=address pairs separated by commas, such as one=http://10.0.0.1:4400, two=http://10.0.0.2:4400',
    fallback: 'none',
    schema: z.string().transform((text, context) => {
      const read = readCells(text)
      if (typeof read !== 'string') return read
      context.addIssue({ code: 'custom', message: read })
      return z.NEVER
    }),
  },
  CELLS_NEW: {
    meaning: 'Cell that gets new accounts and newly registered apps. Only for the role door.',
    form: 'name of one of CELLS',
    fallback: 'the first of CELLS',
    schema: textLike(NAME, 'must be the name of a cell'),
  },
  CELLS_SECRET: {
    meaning:
      'Secret that the door and its cells share. With it a cell answers the door which credentials, people and ' +
      'workspaces it has.',
    form: '32 to 200 printable ASCII characters without blanks',
    fallback: 'the cell answers no door',
    secret: true,
    schema: textLike(/^[\x21-\x7e]{32,200}$/, 'must be 32 to 200 printable ASCII characters without blanks'),
  },
} satisfies SettingsTable

export function cellSettingsOf(values: ValuesOf<typeof CELL_SETTINGS>): CellSettings {
  const cells = values.CELLS ?? []
  return {
    cells,
    newCell: values.CELLS_NEW ?? cells[0]?.name ?? null,
    cellsSecret: values.CELLS_SECRET ?? null,
  }
}

export function findCellProblems(given: GivenSettings): string[] {
  const [text, name] = [given.get('CELLS'), given.get('CELLS_NEW')]
  if (name === undefined) return []
  if (text === undefined) return ['CELLS_NEW: CELLS is missing beside it']
  const cells = readCells(text)
  return typeof cells === 'string' || cells.some((cell) => cell.name === name)
    ? []
    : ['CELLS_NEW: must be the name of one of CELLS']
}

/** The cells, or the problem. */
function readCells(text: string): CellAddress[] | string {
  const entries = listOf(text)
  if (entries.length === 0 || entries.length > CELLS_MAX) return `must be 1 to ${CELLS_MAX} cells as name=address`
  const cells: CellAddress[] = []
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const [name, address] = [entry.slice(0, Math.max(at, 0)), webOrigin.safeParse(entry.slice(at + 1))]
    if (!NAME.test(name)) return 'must have names of lower-case letters, digits and hyphens, as in name=address'
    if (!address.success) return `has a wrong address for ${name}: ${address.error.issues[0]!.message}`
    cells.push({ name, origin: new URL(address.data).origin })
  }
  const isTwice = (pick: (cell: CellAddress) => string) => new Set(cells.map(pick)).size < cells.length
  if (isTwice(({ name }) => name)) return 'must not give a name twice'
  return isTwice(({ origin }) => origin) ? 'must not give an address twice' : cells
}
