import { readFileSync } from 'node:fs'

/** Word lists stand beside the code that reads them; the compiled service finds them in the sources. */
const SOURCES = new URL('../../src/', import.meta.url)

/** The entries of the word list `<path>.txt` in `src`, one a line, in the order of the file. */
export function readWordList(path: string): string[] {
  return readFileSync(new URL(`${path}.txt`, SOURCES), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
}

export interface WeightedEntry {
  weight: number
  entry: string
}

/** The same for a list whose lines hold a weight, a tab and the entry. */
export function readWeightedList(path: string): WeightedEntry[] {
  return readWordList(path).map((line) => {
    const tab = line.indexOf('\t')
    return { weight: Number(line.slice(0, tab)), entry: line.slice(tab + 1) }
  })
}
