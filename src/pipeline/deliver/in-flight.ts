import type { Uuid } from '../../kernel/ids.ts'
import { CountsById } from './counts-by-id.ts'
import type { InFlight } from './read-deliveries.ts'

export const IN_FLIGHT_MAX = 8000
/** Limit of one workspace. A claim that begins below may exceed it by one batch. */
export const OF_WORKSPACE_MAX = 1000
/** After `noteFull`, claims resume once a whole batch has capacity. */
export const CLAIM_BATCH = 200

/**
 * Deliveries on the wire, in a lane, being recorded, or reserved by a transaction. None is taken twice, even after its
 * lease.
 */
export class InFlightDeliveries {
  private readonly byId = new Map<Uuid, InFlight>()
  private readonly ofWorkspace = new CountsById()
  private readonly reserved = new CountsById()
  private readonly onRoom: () => void
  private wasFull = false
  private endedCount = 0

  constructor(onRoom: () => void) {
    this.onRoom = onRoom
  }

  get size(): number {
    return this.byId.size + this.reserved.total
  }

  get ended(): number {
    return this.endedCount
  }

  /** Used share of the capacity or of the workspace's limit, whichever is larger. */
  shareFor(workspaceId: Uuid): number {
    return Math.max(this.size / IN_FLIGHT_MAX, this.ofWorkspace.of(workspaceId) / OF_WORKSPACE_MAX)
  }

  isFullFor(workspaceId: Uuid): boolean {
    return this.ofWorkspace.of(workspaceId) >= OF_WORKSPACE_MAX
  }

  fullWorkspaces(): Uuid[] {
    return this.ofWorkspace.atLeast(OF_WORKSPACE_MAX)
  }

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

  renew(deliveryId: Uuid, leasedUntil: Date): boolean {
    const known = this.byId.get(deliveryId)
    if (known) known.leasedUntil = leasedUntil
    return known !== undefined
  }

  /** False when it is in flight already, which renews its lease. */
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
