import type { Uuid } from '../../kernel/ids.ts'
import { CountsById } from './counts-by-id.ts'
import type { InFlight } from './read-deliveries.ts'

/** Deliveries of all channels in flight together, those that are being written down to be sent from memory included. */
export const IN_FLIGHT_MAX = 8000
/**
 * The share of one workspace: with so many in flight nothing more of it is admitted, nor claimed. A claim that begins
 * below may bring it past that by what one claim takes.
 */
export const OF_WORKSPACE_MAX = 1000
/** After it was full, so many have to end before more are claimed: a claim then has room for a whole batch. */
export const CLAIM_BATCH = 200

/**
 * The deliveries that this process has taken: on the wire, in a lane, waiting for their result to be recorded, or
 * reserved by a transaction that makes them. Should a lease end meanwhile, the same delivery is not taken twice.
 */
export class InFlightDeliveries {
  private readonly byId = new Map<Uuid, InFlight>()
  private readonly ofWorkspace = new CountsById()
  private readonly reserved = new CountsById()
  private readonly onRoom: () => void
  private wasFull = false
  private endedCount = 0

  /** `onRoom` is told when there is room again after `noteFull`. */
  constructor(onRoom: () => void) {
    this.onRoom = onRoom
  }

  /** How many there are, reserved ones included. */
  get size(): number {
    return this.byId.size + this.reserved.total
  }

  /** How many have ended since the start. */
  get ended(): number {
    return this.endedCount
  }

  /** How much of the room is taken, of all or of the workspace's share, from 0 to 1. */
  shareFor(workspaceId: Uuid): number {
    return Math.max(this.size / IN_FLIGHT_MAX, this.ofWorkspace.of(workspaceId) / OF_WORKSPACE_MAX)
  }

  isFullFor(workspaceId: Uuid): boolean {
    return this.ofWorkspace.of(workspaceId) >= OF_WORKSPACE_MAX
  }

  /** The workspaces that have used up their share. */
  fullWorkspaces(): Uuid[] {
    return this.ofWorkspace.atLeast(OF_WORKSPACE_MAX)
  }

  /** Something found no room. */
  noteFull(): void {
    this.wasFull = true
  }

  reservedOf(channelId: Uuid): number {
    return this.reserved.of(channelId)
  }

  reserve(workspaceId: Uuid, channelId: Uuid): void {
    this.reserved.add(channelId, 1)
    this.ofWorkspace.add(workspaceId, 1)
  }

  free(workspaceId: Uuid, channelId: Uuid): void {
    this.reserved.add(channelId, -1)
    this.ofWorkspace.add(workspaceId, -1)
  }

  /** Gives a delivery that is in flight its new lease; false for one that is not. */
  renew(deliveryId: Uuid, leasedUntil: Date): boolean {
    const known = this.byId.get(deliveryId)
    if (known) known.leasedUntil = leasedUntil
    return known !== undefined
  }

  /** False when it is in flight already; then it has the new lease. */
  add(delivery: InFlight): boolean {
    if (this.renew(delivery.deliveryId, delivery.leasedUntil)) return false
    this.byId.set(delivery.deliveryId, delivery)
    this.ofWorkspace.add(delivery.workspaceId, 1)
    return true
  }

  remove(delivery: InFlight): void {
    this.byId.delete(delivery.deliveryId)
    this.ofWorkspace.add(delivery.workspaceId, -1)
    this.endedCount += 1
    if (!this.wasFull || this.byId.size > IN_FLIGHT_MAX - CLAIM_BATCH) return
    this.wasFull = false
    this.onRoom()
  }
}
