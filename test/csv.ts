/**
 * Reads a table as RFC 4180 has it, and nothing looser: lines end with CRLF, the last one too, a quote stands only
 * around a cell or doubled inside one, and all lines have as many cells as the first. Shares nothing with what writes
 * them.
 */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let at = 0
  while (at < text.length) {
    const cells: string[] = []
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
      cells.push(cell.value)
      at = cell.end
      if (text[at] === ',') at += 1
      else break
    }
    if (!text.startsWith('\r\n', at))
      throw new Error(`no line break at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    at += 2
    lines.push(cells)
    if (cells.length !== lines[0]!.length) throw new Error(`line ${lines.length} has ${cells.length} cells`)
  }
  return lines
}

interface Cell {
  value: string
  end: number
}

function plainCell(text: string, from: number): Cell {
  let end = from
  while (end < text.length && !',\r\n'.includes(text[end]!)) {
    if (text[end] === '"') throw new Error(`a quote within a cell at ${end}`)
    end += 1
  }
  return { value: text.slice(from, end), end }
}

function quotedCell(text: string, from: number): Cell {
  let value = ''
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') value += text[at]
    else if (text[at + 1] === '"') {
      value += '"'
      at += 1
    } else return { value, end: at + 1 }
  }
  throw new Error(`a quote that is not closed at ${from}`)
}
