import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { CLAIM_BATCH, type InFlightDeliveries, OF_WORKSPACE_MAX } from './in-flight.ts'
import type { Lanes } from './lanes.ts'
import type { InFlight } from './read-deliveries.ts'

/** With more in flight, work that creates deliveries waits. No single workspace can exceed this. */
const PACE_AT = OF_WORKSPACE_MAX + CLAIM_BATCH
const PACE_LOOK_MS = 50
const PACE_ENDED_MIN = 5
const PACE_MS = SECOND_MS / 4

interface PaceParts {
  clock: Clock
  inFlight: InFlightDeliveries
  lanes: Pick<Lanes<InFlight>, 'sizeOfSlow'>
}

/** Waits for the excess to end. Hanging receivers delay nobody: the wait ends when nothing moves. */
export async function keepPace(parts: PaceParts, signal: AbortSignal): Promise<void> {
  const { clock, inFlight } = parts
  const untilMs = clock.monotonicMs() + PACE_MS
  const enough = inFlight.ended + tooMany(parts)
  while (tooMany(parts) > 0 && inFlight.ended < enough && clock.monotonicMs() < untilMs && !signal.aborted) {
    const before = inFlight.ended
    await clock.wait(PACE_LOOK_MS, signal)
    if (inFlight.ended - before < PACE_ENDED_MIN) return
  }
}

/** The excess in flight, without deliveries to receivers known to fail or hang. */
function tooMany({ inFlight, lanes }: PaceParts): number {
  return inFlight.size > PACE_AT ? inFlight.size - lanes.sizeOfSlow() - PACE_AT : 0
}
