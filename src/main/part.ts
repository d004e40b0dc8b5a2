import type { Installation } from './installation.ts'
import type { Metrics } from './metrics.ts'
import type { Role } from './role.ts'

/** What the parts of a process share. */
export interface Part {
  role: Role
  installation: Installation
  metrics: Metrics
  /** Registers what has to end of this part; the last one registered ends first. Parts end beside each other. */
  onStop(close: () => Promise<unknown>): void
  /** Aborted when the process begins to end. */
  ending: AbortSignal
}
