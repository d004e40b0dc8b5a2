import type { Uuid } from '../../kernel/ids.ts'
import type { DeliveryAdmission, NewDelivery } from '../../store/delivery/rule-deliveries.ts'
import type { Backlog } from './backlog.ts'
import type { InFlightDeliveries } from './in-flight.ts'

export interface Intake extends DeliveryAdmission {
  /** The transaction is committed: sends what was admitted. */
  complete(deliveries: readonly NewDelivery[]): void
  /** Rolled back or unknown: frees the reservations. Does nothing after `complete`. */
  abandon(): void
}

export interface IntakeParts {
  inFlight: InFlightDeliveries
  backlog: Backlog
  fits(workspaceId: Uuid, channelId: Uuid): boolean
  onAdmitted(deliveries: readonly NewDelivery[], leasedUntil: Date): void
  onLeft(channelIds: readonly Uuid[]): void
}

export class TransactionIntake implements Intake {
  readonly leasedUntil: Date
  private readonly parts: IntakeParts
  private readonly taken: [workspaceId: Uuid, channelId: Uuid][] = []
  private readonly left: Uuid[] = []
  private isOver = false

  constructor(parts: IntakeParts, leasedUntil: Date) {
    this.parts = parts
    this.leasedUntil = leasedUntil
  }

  admits(workspaceId: Uuid, channelId: Uuid): boolean {
    const { inFlight, backlog, fits } = this.parts
    const isAdmitted = fits(workspaceId, channelId)
    if (isAdmitted) {
      this.taken.push([workspaceId, channelId])
      inFlight.reserve(workspaceId, channelId)
    } else {
      this.left.push(channelId)
      backlog.writing(channelId)
    }
    return isAdmitted
  }

  complete(deliveries: readonly NewDelivery[]): void {
    if (this.isOver) return
    this.end(true)
    this.parts.onAdmitted(
      deliveries.filter(({ admitted }) => admitted),
      this.leasedUntil,
    )
    this.parts.onLeft(this.left)
  }

  abandon(): void {
    if (!this.isOver) this.end(false)
  }

  private end(committed: boolean): void {
    this.isOver = true
    for (const [workspaceId, channelId] of this.taken) this.parts.inFlight.free(workspaceId, channelId)
    for (const channelId of this.left) this.parts.backlog.written(channelId, committed)
  }
}
