import { cellsOf } from './door.ts'
import type { Settings } from './settings.ts'

/** For the doctor of a door: a row for each cell, and problems in sentences. */
export async function cellsReport(
  settings: Pick<Settings, 'cells' | 'cellsSecret' | 'newCell' | 'publicUrl'>,
): Promise<{ rows: string[][]; wrong: string[] }> {
  if (settings.cellsSecret === null)
    return { rows: [], wrong: ['CELLS_SECRET is not set, so no cell answers the door.'] }
  const cells = cellsOf(settings)
  try {
    const answers = await Promise.all(cells.map((cell) => cell.find([])))
    const down = cells.filter((_, at) => answers[at] === null)
    const misnamed = cells.filter(({ known }) => known !== null && known.publicUrl !== settings.publicUrl)
    const versions = new Set(cells.flatMap(({ known }) => known?.version ?? []))
    return {
      rows: [
        ['cell', 'address', 'state', 'version'],
        ...cells.map(({ name, origin, known }) => [
          name === settings.newCell ? `${name} (new accounts)` : name,
          origin,
          known === null ? 'no answer' : 'answers',
          known?.version ?? '-',
        ]),
      ],
      wrong: [
        ...down.map(({ name }) => `The cell ${name} does not answer: it is down, or has another CELLS_SECRET.`),
        ...misnamed.map(
          ({ name, known }) => `The cell ${name} has PUBLIC_URL ${known!.publicUrl}; it must be ${settings.publicUrl}.`,
        ),
        ...(versions.size > 1 ? [`The cells have several versions: ${[...versions].join(', ')}.`] : []),
      ],
    }
  } finally {
    await Promise.all(cells.map((cell) => cell.close()))
  }
}
