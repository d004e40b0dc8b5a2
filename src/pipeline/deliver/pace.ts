import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { CLAIM_BATCH, type InFlightDeliveries, OF_WORKSPACE_MAX } from './in-flight.ts'
import type { Lanes } from './lanes.ts'
import type { InFlight } from './read-deliveries.ts'

/** With more in flight, those who make deliveries wait; no single workspace has more, claims included. */
const PACE_AT = OF_WORKSPACE_MAX + CLAIM_BATCH
/**
 * How often they look whether it goes on, how many deliveries have to end between two looks, and for how long they wait
 * at most.
 */
const PACE_LOOK_MS = 50
const PACE_ENDED_MIN = 5
const PACE_MS = SECOND_MS / 4

interface PaceParts {
  clock: Clock
  inFlight: InFlightDeliveries
  lanes: Pick<Lanes<InFlight>, 'sizeOfSlow'>
}

/**
 * Waits while too many deliveries are in flight. Receivers that hang hold back nobody: what does not move is not waited
 * for, nor more than what was too much.
 */
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

/**
 * What is in flight beyond what is usual. What receivers hold up that are known to fail or hang is not among it,
 * however many they are.
 */
function tooMany({ inFlight, lanes }: PaceParts): number {
  return inFlight.size > PACE_AT ? inFlight.size - lanes.sizeOfSlow() - PACE_AT : 0
}
