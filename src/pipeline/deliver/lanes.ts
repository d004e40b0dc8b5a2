import type { Uuid } from '../../kernel/ids.ts'
import { type Counts, createCounts } from './counts.ts'

/** Something to be sent through one channel. */
export interface Sendable {
  workspaceId: Uuid
  channelId: Uuid
}

/** How an attempt went, as far as its lane is concerned. */
export interface Passed {
  /** The receiver took it, or said for good that it will not: it answers. */
  answered: boolean
  durationMs: number
}

export interface LanesOptions<One extends Sendable> {
  /**
   * Sends; `waited` when it had to wait for its turn. Never rejects. Resolves as soon as the wire is free again, with
   * null when nothing was sent.
   */
  send(one: One, waited: boolean): Promise<Passed | null>
  /** The lane of this channel has room again. */
  onRoom(channelId: Uuid): void
}

/** The deliveries in hand, a lane for each channel. */
export interface Lanes<One extends Sendable> {
  /** Sends at once when there is room on the wire, else in turn. */
  add(one: One): void
  /** How many of a channel are on the wire, waiting or reserved. */
  sizeOf(channelId: Uuid): number
  /** How many of a channel may be in hand. */
  capacityOf(channelId: Uuid): number
  /** How many of all channels together are on the wire or waiting whose receivers are known to fail or hang. */
  sizeOfSlow(): number
  /**
   * Channels that take no more than they have in hand when none may have more than `most`, and those that take one at a
   * time.
   */
  limited(most: number): { full: Uuid[]; slow: Uuid[] }
  /** Takes out what is not on the wire yet. */
  takeUnbegun(): One[]
  /** Resolves when nothing is on the wire. */
  idle(): Promise<void>
}

/** Requests of one channel on the wire at once. */
export const LANE_WIDTH = 8
/**
 * Rounds of a lane that may be in hand: with receivers that use up their ten seconds both end before the lease does.
 */
const ROUNDS = 2
/** The same for a lane whose receiver usually answers so soon that as many rounds take no longer than this. */
const QUICK_ROUNDS = 16
const ROUNDS_MS = 5000
/** A lane of at most this width is slow: it takes its turns from a budget of its own. */
const SLOW_WIDTH = 2
/** Requests on the wire of all lanes that are not slow, and of those that are. */
const WIRE_MAX = 1024
const SLOW_WIRE_MAX = 256
/** The share of one workspace in either. */
const SHARE = 4
/** Lanes that are remembered with nothing in hand, for how their receivers fared. */
const REMEMBERED_MAX = 10_000

interface Lane<One> {
  channelId: Uuid
  workspaceId: Uuid
  waiting: One[]
  onWire: number
  /** Halved by each attempt that fails, one more with each that is answered. */
  width: number
  /** A moving average over attempts that were answered; null before the first one. */
  usualMs: number | null
}

/** Requests on the wire, counted by workspace, and the lanes that wait for room, by workspace. */
interface Budget<One> {
  most: number
  onWire: Counts
  crowded: Map<Uuid, Set<Lane<One>>>
}

/**
 * A lane sends at most eight requests at once. One whose receiver fails or hangs is narrowed down to a single one and
 * then draws on a budget apart, so that however many receivers are dead, they take nothing from those that live once
 * they are known. Where a budget is used up, workspaces take turns, and within a workspace its channels.
 */
export function createLanes<One extends Sendable>({ send, onRoom }: LanesOptions<One>): Lanes<One> {
  const lanes = new Map<Uuid, Lane<One>>()
  const ready = createBudget<One>(WIRE_MAX)
  const slow = createBudget<One>(SLOW_WIRE_MAX)
  const idlers: (() => void)[] = []

  const laneOf = ({ channelId, workspaceId }: One): Lane<One> => {
    const known = lanes.get(channelId)
    if (known) return known
    const lane = { channelId, workspaceId, waiting: [], onWire: 0, width: LANE_WIDTH, usualMs: null }
    lanes.set(channelId, lane)
    if (lanes.size > REMEMBERED_MAX) forgetIdle(lanes)
    return lane
  }
  const begin = (lane: Lane<One>, budget: Budget<One>, one: One, waited: boolean) => {
    lane.onWire += 1
    budget.onWire.add(lane.workspaceId, 1)
    void send(one, waited).then((passed) => {
      lane.onWire -= 1
      budget.onWire.add(lane.workspaceId, -1)
      if (passed) learn(lane, passed)
      advance(lane)
      admitCrowded(budget)
      if (sizeOf(lane) <= roomBelow(lane)) onRoom(lane.channelId)
      if (ready.onWire.total + slow.onWire.total === 0) for (const resolve of idlers.splice(0)) resolve()
    })
  }
  const advance = (lane: Lane<One>) => {
    while (lane.waiting.length > 0 && lane.onWire < lane.width) {
      const budget = isSlow(lane) ? slow : ready
      // Nobody who comes later gets in before those who wait already.
      if (budget.crowded.size > 0 || !hasRoom(budget, lane.workspaceId)) return void crowd(budget, lane)
      begin(lane, budget, lane.waiting.shift()!, true)
    }
  }
  /** One request for each crowded lane that can have one, workspaces in turn. */
  const admitCrowded = (budget: Budget<One>) => {
    for (const [workspaceId, waiting] of budget.crowded) {
      if (budget.onWire.total >= budget.most) return
      if (!hasRoom(budget, workspaceId)) continue
      const [lane] = waiting
      budget.crowded.delete(workspaceId)
      waiting.delete(lane!)
      if (waiting.size > 0) budget.crowded.set(workspaceId, waiting)
      advanceOnce(lane!)
    }
  }
  const advanceOnce = (lane: Lane<One>) => {
    const budget = isSlow(lane) ? slow : ready
    if (lane.waiting.length === 0 || lane.onWire >= lane.width) return
    if (hasRoom(budget, lane.workspaceId)) begin(lane, budget, lane.waiting.shift()!, true)
    if (lane.waiting.length > 0 && lane.onWire < lane.width) crowd(budget, lane)
  }
  return {
    add(one) {
      const lane = laneOf(one)
      const budget = isSlow(lane) ? slow : ready
      const isFree = lane.waiting.length === 0 && lane.onWire < lane.width && budget.crowded.size === 0
      if (isFree && hasRoom(budget, lane.workspaceId)) return begin(lane, budget, one, false)
      lane.waiting.push(one)
      advance(lane)
      admitCrowded(budget)
    },
    sizeOf: (channelId) => sizeOf(lanes.get(channelId)),
    capacityOf: (channelId) => capacityOf(lanes.get(channelId)),
    sizeOfSlow: () => [...lanes.values()].reduce((sum, lane) => sum + (isSlow(lane) ? sizeOf(lane) : 0), 0),
    limited(most) {
      const all = [...lanes.values()]
      const full = all.filter((lane) => sizeOf(lane) > Math.min(roomBelow(lane), most - LANE_WIDTH))
      const slow = all.filter((lane) => isSlow(lane) && sizeOf(lane) === 0)
      return { full: full.map((lane) => lane.channelId), slow: slow.map((lane) => lane.channelId) }
    },
    takeUnbegun() {
      for (const budget of [ready, slow]) budget.crowded.clear()
      return [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
    },
    idle: () =>
      new Promise((resolve) => (ready.onWire.total + slow.onWire.total === 0 ? resolve() : void idlers.push(resolve))),
  }
}

function createBudget<One>(most: number): Budget<One> {
  return { most, onWire: createCounts(), crowded: new Map() }
}

function hasRoom<One>({ most, onWire }: Budget<One>, workspaceId: Uuid): boolean {
  return onWire.total < most && onWire.of(workspaceId) < most / SHARE
}

function crowd<One>({ crowded }: Budget<One>, lane: Lane<One>): void {
  const waiting = crowded.get(lane.workspaceId)
  if (waiting) waiting.add(lane)
  else crowded.set(lane.workspaceId, new Set([lane]))
}

function sizeOf<One>(lane: Lane<One> | undefined): number {
  return lane === undefined ? 0 : lane.onWire + lane.waiting.length
}

function capacityOf<One>(lane: Lane<One> | undefined): number {
  if (lane === undefined) return ROUNDS * LANE_WIDTH
  if (lane.usualMs === null || lane.width < LANE_WIDTH) return ROUNDS * lane.width
  return lane.width * Math.floor(Math.min(QUICK_ROUNDS, Math.max(ROUNDS, ROUNDS_MS / lane.usualMs)))
}

/** From this size down a lane asks for more: a claim brings so many. */
function roomBelow<One>(lane: Lane<One>): number {
  return isSlow(lane) ? 0 : Math.max(0, capacityOf(lane) - LANE_WIDTH)
}

function isSlow<One>(lane: Lane<One> | undefined): boolean {
  return lane !== undefined && lane.width <= SLOW_WIDTH
}

function learn<One>(lane: Lane<One>, { answered, durationMs }: Passed): void {
  lane.width = answered ? Math.min(LANE_WIDTH, lane.width + 1) : Math.max(1, Math.floor(lane.width / 2))
  if (answered) lane.usualMs = lane.usualMs === null ? durationMs : lane.usualMs + (durationMs - lane.usualMs) / 8
}

/** The oldest half of those that have nothing in hand. */
function forgetIdle<One>(lanes: Map<Uuid, Lane<One>>): void {
  for (const [channelId, lane] of lanes) {
    if (lanes.size <= REMEMBERED_MAX / 2) return
    if (sizeOf(lane) === 0) lanes.delete(channelId)
  }
}
