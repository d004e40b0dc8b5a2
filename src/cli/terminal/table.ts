import stringWidth from 'string-width'
import { cleanLine } from './clean.ts'
import type { Colour, Terminal } from './terminal.ts'

export interface Column<Item> {
  title: string
  cell(item: Item): string
  align?: 'right'
  /** Takes what the other columns leave. */
  isFlexible?: true
  /** Of a flexible column: with less room it goes to a line of its own. */
  leastWidth?: number
  colour?(item: Item): Colour | null
}

const LEAST_WIDTH = 16
const GAP = 2

/** The first row names the columns. Cells are cleaned, cut to the width of the terminal, and never wrapped. */
export function tableOf<Item>(columns: readonly Column<Item>[], items: readonly Item[], terminal: Terminal): string {
  const rows = items.map((item) => columns.map(({ cell }) => cleanLine(cell(item))))
  const natural = columns.map(({ title }, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at]!)), widthOf(title)),
  )
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible)
  const fixed = natural.reduce((sum, width, at) => sum + (at === flexible ? 0 : width + GAP), 0)
  const room = terminal.isForPeople ? terminal.width - fixed : Number.POSITIVE_INFINITY
  if (flexible < 0 || room >= (columns[flexible]?.leastWidth ?? LEAST_WIDTH) || room >= natural[flexible]!) {
    const widths = natural.map((width, at) => (at === flexible ? Math.min(width, room) : width))
    return linesOf(columns, { rows, items, widths }, terminal)
  }
  return cardsOf(columns, { rows, items, flexible }, terminal)
}

interface Laid<Item> {
  rows: readonly string[][]
  items: readonly Item[]
}

function linesOf<Item>(
  columns: readonly Column<Item>[],
  { rows, items, widths }: Laid<Item> & { widths: readonly number[] },
  terminal: Terminal,
): string {
  const titles = columns.map(({ title, align }, at) => terminal.paint('dim', padded(title, widths[at]!, align)))
  const lines = rows.map((row, rowAt) =>
    columns.map(({ align, colour }, at) => {
      const text = padded(cut(row[at]!, widths[at]!), widths[at]!, align)
      const painted = colour?.(items[rowAt]!) ?? null
      return painted === null ? text : terminal.paint(painted, text)
    }),
  )
  return [titles, ...lines].map((line) => `${line.join(' '.repeat(GAP)).trimEnd()}\n`).join('')
}

/** On a narrow terminal: the flexible column below the others. */
function cardsOf<Item>(
  columns: readonly Column<Item>[],
  { rows, items, flexible }: Laid<Item> & { flexible: number },
  terminal: Terminal,
): string {
  return rows
    .map((row, rowAt) => {
      const facts = row.flatMap((text, at) => {
        if (at === flexible || text === '') return []
        const painted = columns[at]!.colour?.(items[rowAt]!) ?? null
        return [painted === null ? text : terminal.paint(painted, text)]
      })
      return `${facts.join('  ')}\n  ${cut(row[flexible]!, terminal.width - 2)}\n`
    })
    .join('')
}

function padded(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

const SEGMENTER = new Intl.Segmenter()

/** Cut at a character, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text, width) <= width) return text
  let [kept, used] = ['', 0]
  for (const { segment } of SEGMENTER.segment(text.slice(0, width * UNITS_A_COLUMN))) {
    used += stringWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** Lines that fit, broken at spaces. A longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let [current, used] = ['', 0]
    for (const word of line.split(' ')) {
      const wide = widthOf(word, width)
      if (current !== '' && used + 1 + wide > width) {
        lines.push(current)
        current = ''
      }
      used = current === '' ? wide : used + 1 + wide
      current = current === '' ? word : `${current} ${word}`
    }
    return [...lines, current]
  })
}

/** More letters and marks than in this many characters a column are noise. */
const UNITS_A_COLUMN = 16
const MEASURED_UNITS = 256

/** Columns of the text, until they are more than `enough`. In pieces, since measuring takes the square of a length. */
function widthOf(text: string, enough = Number.POSITIVE_INFINITY): number {
  let width = 0
  for (let from = 0; from < text.length && width <= enough; from += MEASURED_UNITS)
    width += stringWidth(text.slice(from, from + MEASURED_UNITS))
  return width
}
