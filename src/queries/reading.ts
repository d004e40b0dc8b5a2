import type { Clock } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import type { Reader } from '../store/database.ts'

/** What the read side is handed: one workspace, a way to read, and the time. Nothing here can change anything. */
export interface Reading {
  workspaceId: Uuid
  db: Reader
  clock: Clock
  /** `unmetered` counts usage but charges, pauses and caps nothing by the wallet. */
  billing: 'metered' | 'unmetered'
}
