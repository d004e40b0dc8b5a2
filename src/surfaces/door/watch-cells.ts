import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Cell } from './cell.ts'

const EVERY_MS = SECOND_MS
/** A cell that answers is asked in every tenth round only; requests notice at once when it is gone. */
const UP_EVERY = 10

/** Asks cells whether they are there, until the signal. */
export async function watchCells(
  cells: readonly Cell[],
  { clock, log, publicUrl }: { clock: Clock; log: Log; publicUrl: string },
  signal: AbortSignal,
): Promise<void> {
  const reported = new Map<Cell, string>()
  for (let round = 0; !signal.aborted; round += 1) {
    const due = cells.filter(({ isUp }) => !isUp || round % UP_EVERY === 0)
    await Promise.all(due.map((cell) => cell.find([])))
    if (signal.aborted) return
    for (const cell of cells) report(cell)
    await clock.wait(EVERY_MS, signal)
  }

  function report(cell: Cell): void {
    const named = (cell.known?.publicUrl ?? publicUrl) === publicUrl ? 'up' : 'misnamed'
    const state = cell.isUp ? named : 'down'
    if (state === (reported.get(cell) ?? 'up')) return
    reported.set(cell, state)
    const fields = { cell: cell.name, address: cell.origin }
    if (state === 'up') log.info({ event: 'door.cell_back', ...fields }, 'A cell answers again')
    else if (state === 'down')
      log.warn(
        { event: 'door.cell_down', ...fields },
        'A cell does not answer the door, or has another CELLS_SECRET; its workspaces are unavailable',
      )
    else
      log.warn(
        { event: 'door.cell_misnamed', ...fields, publicUrl: cell.known?.publicUrl },
        'A cell has another PUBLIC_URL than the door; links and sign-in of its workspaces fail',
      )
  }
}
