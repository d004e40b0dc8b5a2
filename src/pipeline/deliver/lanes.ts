import { Condition } from '../../kernel/concurrency/condition.ts'
import type { Uuid } from '../../kernel/ids.ts'
import {
  capacityOf,
  isSlow,
  LANE_WIDTH,
  type Lane,
  noteAttempt,
  openLane,
  type Passed,
  roomBelow,
  sizeOf,
} from './lane.ts'
import { WireBudget } from './wire-budget.ts'

/** Something to be sent through one channel. */
export interface Sendable {
  workspaceId: Uuid
  channelId: Uuid
}

export interface LanesOptions<Item extends Sendable> {
  /**
   * Sends; `waited` when it had to wait for its turn. Never rejects. Resolves as soon as the wire is free again, with
   * null when nothing was sent.
   */
  send(item: Item, waited: boolean): Promise<Passed | null>
  /** The lane of this channel has room again. */
  onRoom(channelId: Uuid): void
}

/** Requests on the wire of all lanes that are not slow, and of those that are. */
const WIRE_MAX = 1024
const SLOW_WIRE_MAX = 256
/** Lanes that are remembered with nothing in flight, for how their receivers fared. */
const REMEMBERED_MAX = 10_000

/**
 * The deliveries in flight, a lane for each channel. A lane sends at most eight requests at once. One whose receiver
 * fails or hangs is narrowed down to a single one and then draws on a budget apart, so that however many receivers are
 * dead, they take nothing from those that live once they are known. Where a budget is used up, workspaces take turns,
 * and within a workspace its channels.
 */
export class Lanes<Item extends Sendable> {
  private readonly options: LanesOptions<Item>
  private readonly lanes = new Map<Uuid, Lane<Item>>()
  private readonly ready = new WireBudget<Item>(WIRE_MAX)
  private readonly slow = new WireBudget<Item>(SLOW_WIRE_MAX)
  private readonly ended = new Condition()

  constructor(options: LanesOptions<Item>) {
    this.options = options
  }

  /** Sends at once when there is room on the wire, else in turn. */
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

  /** How many of a channel are on the wire or waiting. */
  sizeOf(channelId: Uuid): number {
    return sizeOf(this.lanes.get(channelId))
  }

  /** How many of a channel may be in flight. */
  capacityOf(channelId: Uuid): number {
    return capacityOf(this.lanes.get(channelId))
  }

  /** How many of all channels together are on the wire or waiting whose receivers are known to fail or hang. */
  sizeOfSlow(): number {
    let sum = 0
    for (const lane of this.lanes.values()) if (isSlow(lane)) sum += sizeOf(lane)
    return sum
  }

  /**
   * Channels that take no more than they have in flight when none may have more than `most`, and those that take one
   * at a time.
   */
  limited(most: number): { full: Uuid[]; slow: Uuid[] } {
    const all = [...this.lanes.values()]
    const full = all.filter((lane) => sizeOf(lane) > Math.min(roomBelow(lane), most - LANE_WIDTH))
    const slow = all.filter((lane) => isSlow(lane) && sizeOf(lane) === 0)
    return { full: full.map(({ channelId }) => channelId), slow: slow.map(({ channelId }) => channelId) }
  }

  /** Takes out what is not on the wire yet. */
  takeUnbegun(): Item[] {
    for (const budget of [this.ready, this.slow]) budget.clearCrowded()
    return [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0))
  }

  /** Resolves when nothing is on the wire. */
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

  private end(lane: Lane<Item>, budget: WireBudget<Item>, passed: Passed | null): void {
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
      // Nobody who comes later gets in before those who wait already.
      if (budget.isCrowded || !budget.hasRoom(lane.workspaceId)) {
        budget.crowd(lane)
        return
      }
      this.begin(lane, budget, lane.waiting.shift()!, true)
    }
  }

  /** One request for each crowded lane that can have one, workspaces in turn. */
  private admitCrowded(budget: WireBudget<Item>): void {
    if (budget.isCrowded) budget.admitCrowded((lane) => this.advanceOnce(lane))
  }

  private advanceOnce(lane: Lane<Item>): void {
    const budget = this.budgetOf(lane)
    if (lane.waiting.length === 0 || lane.onWire >= lane.width) return
    if (budget.hasRoom(lane.workspaceId)) this.begin(lane, budget, lane.waiting.shift()!, true)
    if (lane.waiting.length > 0 && lane.onWire < lane.width) budget.crowd(lane)
  }

  /** The oldest half of those that have nothing in flight. */
  private forgetIdle(): void {
    for (const [channelId, lane] of this.lanes) {
      if (this.lanes.size <= REMEMBERED_MAX / 2) return
      if (sizeOf(lane) === 0) this.lanes.delete(channelId)
    }
  }
}
