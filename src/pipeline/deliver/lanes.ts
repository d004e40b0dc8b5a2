import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Uuid } from '../../kernel/ids.ts'
import {
  capacityOf,
  isSlow,
  LANE_WIDTH,
  type Lane,
  type LaneResult,
  noteAttempt,
  openLane,
  roomBelow,
  sizeOf,
} from './lane.ts'
import { WireBudget } from './wire-budget.ts'

export interface SendableDelivery {
  workspaceId: Uuid
  channelId: Uuid
}

export interface LanesOptions<Item extends SendableDelivery> {
  /** `waited` when the item waited in its lane. Never rejects. Null when nothing was sent. */
  send(item: Item, waited: boolean): Promise<LaneResult | null>
  onRoom(channelId: Uuid): void
}

const WIRE_MAX = 1024
const SLOW_WIRE_MAX = 256
const REMEMBERED_MAX = 10_000

/**
 * At most eight concurrent requests per channel. A failing or hanging receiver narrows its lane to one and moves it to
 * a separate budget, so dead receivers take nothing from live ones. A used-up budget alternates between workspaces,
 * then channels.
 */
export class Lanes<Item extends SendableDelivery> {
  private readonly options: LanesOptions<Item>
  private readonly lanes = new Map<Uuid, Lane<Item>>()
  private readonly ready = new WireBudget<Item>(WIRE_MAX)
  private readonly slow = new WireBudget<Item>(SLOW_WIRE_MAX)
  private readonly ended = new Condition()

  constructor(options: LanesOptions<Item>) {
    this.options = options
  }

  add(item: Item): void {
    const lane = this.laneOf(item)
    const budget = this.budgetOf(lane)
    const isFree = lane.waiting.length === 0 && lane.onWire < lane.width && !budget.isCrowded
    if (isFree && budget.hasRoom(lane.workspaceId)) {
      this.begin(lane, budget, item, false)
      return
    }
    lane.waiting.push(item)
    this.advance(lane)
    this.admitCrowded(budget)
  }

  sizeOf(channelId: Uuid): number {
    return sizeOf(this.lanes.get(channelId))
  }

  capacityOf(channelId: Uuid): number {
    return capacityOf(this.lanes.get(channelId))
  }

  sizeOfSlow(): number {
    let sum = 0
    for (const lane of this.lanes.values()) if (isSlow(lane)) sum += sizeOf(lane)
    return sum
  }

  /**
   * `full`: channels without capacity at a limit of `most` per lane. `slow`: idle slow channels, which take one at a
   * time.
   */
  limited(most: number): { full: Uuid[]; slow: Uuid[] } {
    const all = [...this.lanes.values()]
    const full = all.filter((lane) => sizeOf(lane) > Math.min(roomBelow(lane), most - LANE_WIDTH))
    const slow = all.filter((lane) => isSlow(lane) && sizeOf(lane) === 0)
    return { full: full.map(({ channelId }) => channelId), slow: slow.map(({ channelId }) => channelId) }
  }

  takeUnbegun(): Item[] {
    for (const budget of [this.ready, this.slow]) budget.clearCrowded()
    return [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0))
  }

  async idle(): Promise<void> {
    await this.ended.until(() => this.isIdle())
  }

  private isIdle(): boolean {
    return this.ready.total + this.slow.total === 0
  }

  private laneOf({ channelId, workspaceId }: Item): Lane<Item> {
    const known = this.lanes.get(channelId)
    if (known) return known
    const lane = openLane<Item>(channelId, workspaceId)
    this.lanes.set(channelId, lane)
    if (this.lanes.size > REMEMBERED_MAX) this.forgetIdle()
    return lane
  }

  private budgetOf(lane: Lane<Item>): WireBudget<Item> {
    return isSlow(lane) ? this.slow : this.ready
  }

  private begin(lane: Lane<Item>, budget: WireBudget<Item>, item: Item, waited: boolean): void {
    lane.onWire += 1
    budget.take(lane.workspaceId)
    void this.options.send(item, waited).then((passed) => this.end(lane, budget, passed))
  }

  private end(lane: Lane<Item>, budget: WireBudget<Item>, passed: LaneResult | null): void {
    lane.onWire -= 1
    budget.giveBack(lane.workspaceId)
    if (passed) noteAttempt(lane, passed)
    this.advance(lane)
    this.admitCrowded(budget)
    if (sizeOf(lane) <= roomBelow(lane)) this.options.onRoom(lane.channelId)
    if (this.isIdle()) this.ended.notify()
  }

  private advance(lane: Lane<Item>): void {
    while (lane.waiting.length > 0 && lane.onWire < lane.width) {
      const budget = this.budgetOf(lane)
      // Later items do not overtake those that wait.
      if (budget.isCrowded || !budget.hasRoom(lane.workspaceId)) {
        budget.crowd(lane)
        return
      }
      this.begin(lane, budget, lane.waiting.shift()!, true)
    }
  }

  private admitCrowded(budget: WireBudget<Item>): void {
    if (budget.isCrowded) budget.admitCrowded((lane) => this.advanceOnce(lane))
  }

  private advanceOnce(lane: Lane<Item>): void {
    const budget = this.budgetOf(lane)
    if (lane.waiting.length === 0 || lane.onWire >= lane.width) return
    if (budget.hasRoom(lane.workspaceId)) this.begin(lane, budget, lane.waiting.shift()!, true)
    if (lane.waiting.length > 0 && lane.onWire < lane.width) budget.crowd(lane)
  }

  private forgetIdle(): void {
    for (const [channelId, lane] of this.lanes) {
      if (this.lanes.size <= REMEMBERED_MAX / 2) return
      if (sizeOf(lane) === 0) this.lanes.delete(channelId)
    }
  }
}
