import { readFileSync } from 'node:fs'

/** Lists stand in the sources, also for the compiled service. */
const SOURCES = new URL('../../src/', import.meta.url)

/** The lines of `<path>.txt` in `src`. */
export function readWordList(path: string): string[] {
  return readFileSync(new URL(`${path}.txt`, SOURCES), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
}

export interface WeightedEntry {
  weight: number
  entry: string
}

/** Each line has a weight, a tab and the entry. */
export function readWeightedList(path: string): WeightedEntry[] {
  return readWordList(path).map((line) => {
    const tab = line.indexOf('\t')
    return { weight: Number(line.slice(0, tab)), entry: line.slice(tab + 1) }
  })
}
