import type { Installation } from './installation.ts'
import type { Metrics } from './metrics.ts'
import type { ServiceRole } from './role.ts'

export interface ServicePart {
  role: ServiceRole
  installation: Installation
  metrics: Metrics
  /** Registers what must close with this part, in reverse order. Parts close concurrently. */
  onStop(close: () => Promise<unknown>): void
  /** Aborted when the process begins to stop. */
  ending: AbortSignal
}
