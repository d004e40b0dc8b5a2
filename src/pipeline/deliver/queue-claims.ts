import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { claimDeliveries, releaseDeliveries } from '../../store/delivery/delivery-claims.ts'
import type { ClaimedDelivery } from '../../store/delivery/due-deliveries.ts'
import type { Backlog } from './backlog.ts'
import { CountsById } from './counts-by-id.ts'
import { CLAIM_BATCH, IN_FLIGHT_MAX, type InFlightDeliveries } from './in-flight.ts'
import { LANE_WIDTH, mostOfLane } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { type InFlight, type ReadingParts, readClaimed } from './read-deliveries.ts'

export interface QueueClaimsParts {
  reading: ReadingParts
  inFlight: InFlightDeliveries
  lanes: Pick<Lanes<InFlight>, 'limited'>
  backlog: Backlog
  leaseMs: number
}

interface Claimed {
  after: Uuid | null
  next: Uuid | null
  limit: number
  limited: { full: readonly Uuid[]; slow: readonly Uuid[] }
  mark: number
  deliveries: readonly ClaimedDelivery[]
  passedOver: readonly Uuid[]
  leasedUntil: Date
}

/** Claims due deliveries by ranges of channels. A round covers all channels. */
export class QueueClaims {
  private readonly parts: QueueClaimsParts
  private after: Uuid | null = null
  private takenInRound = 0

  constructor(parts: QueueClaimsParts) {
    this.parts = parts
  }

  get isBetweenRounds(): boolean {
    return this.after === null
  }

  /** False when a round ended without deliveries, or without capacity. */
  async claim(put: (delivery: InFlight) => void): Promise<boolean> {
    const { reading, inFlight } = this.parts
    const limit = Math.min(CLAIM_BATCH, IN_FLIGHT_MAX - inFlight.size)
    if (limit <= 0) {
      inFlight.noteFull()
      return false
    }
    const claimed = await this.claimFromQueue(limit)
    const { deliveries, next, leasedUntil } = claimed
    const taken = this.takenInRound + deliveries.length
    this.after = next
    this.takenInRound = next === null ? 0 : taken
    this.noteBacklog(claimed)
    // Renewed before any await: a result recorded meanwhile takes its delivery out of flight, and the stale row would
    // look unsent.
    const fresh = deliveries.filter(({ deliveryId }) => !inFlight.renew(deliveryId, leasedUntil))
    for (const delivery of await readOrRelease(fresh, leasedUntil, reading)) put(delivery)
    return next !== null || taken > 0
  }

  private async claimFromQueue(limit: number): Promise<Claimed> {
    const { reading, inFlight, lanes, backlog, leaseMs } = this.parts
    const limited = lanes.limited(mostOfLane(inFlight.size / IN_FLIGHT_MAX))
    const mark = backlog.mark()
    const { after } = this
    const at = reading.clock.now()
    const leasedUntil = plus(at, leaseMs)
    const claimed = await claimDeliveries(reading.db, {
      at,
      leasedUntil,
      limit,
      exceptChannels: limited.full,
      exceptWorkspaces: inFlight.fullWorkspaces(),
      slowChannels: limited.slow,
      perChannel: LANE_WIDTH,
      after,
    })
    return { after, limited, limit, mark, leasedUntil, ...claimed }
  }

  private noteBacklog({ after, next, limit, limited, mark, deliveries, passedOver }: Claimed): void {
    const { backlog } = this.parts
    const counts = new CountsById()
    for (const { channelId } of deliveries) counts.add(channelId, 1)
    const cutOff = deliveries.length === limit
    const notLookedAt = new Set([...limited.full, ...passedOver])
    const slow = new Set(limited.slow)
    const hasMore = (channelId: Uuid) =>
      counts.of(channelId) >= (slow.has(channelId) ? 1 : LANE_WIDTH) || (cutOff && channelId === next)
    const wasLookedAt = (channelId: Uuid) =>
      (after === null || channelId > after) && (next === null || channelId <= next) && !notLookedAt.has(channelId)
    backlog.seenThrough(mark, (channelId) => wasLookedAt(channelId) && !hasMore(channelId))
    for (const { channelId } of deliveries) if (hasMore(channelId) && !backlog.has(channelId)) backlog.add(channelId)
  }
}

async function readOrRelease(
  claimed: readonly ClaimedDelivery[],
  leasedUntil: Date,
  reading: ReadingParts,
): Promise<InFlight[]> {
  return await readClaimed(claimed, leasedUntil, reading).catch(async (error: unknown) => {
    const leased = claimed.map((delivery) => ({ ...delivery, leasedUntil }))
    await releaseDeliveries(reading.db, leased)
    throw error
  })
}
