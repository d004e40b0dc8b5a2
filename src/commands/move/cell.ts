import type { Clock } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Database } from '../../store/database.ts'

/** One end of a move. */
export interface Cell {
  db: Database
  sealer: Sealer
}

export interface Moving {
  workspaceId: Uuid
  here: Cell
  there: Cell
  clock: Clock
  /** Whether usage is charged, which is the same at both ends. */
  metered: boolean
  /** The public address of this cell. */
  publicUrl: string
  /** Told at each step, and while the move waits. */
  tell(line: string): void
}

/** What stands against a move; the operator can change it. */
export class MoveProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MoveProblem'
  }
}
