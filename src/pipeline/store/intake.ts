import type { Brought } from '../read/read.ts'

export interface Intake {
  /** Aborted when something could not be stored. */
  readonly failed: AbortSignal
  /** Resolves when all is stored, rejects when it could not be. */
  finish(): Promise<void>
}

export interface BatchIntake extends Intake {
  /** Resolves when the next batch may come. One caller at a time. */
  put(brought: Brought): Promise<void>
}
