import type { Uuid } from '../../kernel/ids.ts'

/** Requests of one channel on the wire at once. */
export const LANE_WIDTH = 8
/**
 * Rounds of a lane that may be in flight: with receivers that use up their ten seconds both end before the lease does.
 */
const ROUNDS = 2
/** The same for a lane whose receiver usually answers so soon that as many rounds take no longer than this. */
const QUICK_ROUNDS = 16
const ROUNDS_MS = 5000
/** A lane of at most this width is slow: it takes its turns from a budget of its own. */
const SLOW_WIDTH = 2

/** How an attempt went, as far as its lane is concerned. */
export interface Passed {
  /** The receiver took it, or said for good that it will not: it answers. */
  answered: boolean
  durationMs: number
}

/** The deliveries in flight through one channel. */
export interface Lane<Item> {
  channelId: Uuid
  workspaceId: Uuid
  waiting: Item[]
  onWire: number
  /** Halved by each attempt that fails, one more with each that is answered. */
  width: number
  /** A moving average over attempts that were answered; null before the first one. */
  usualMs: number | null
}

export function openLane<Item>(channelId: Uuid, workspaceId: Uuid): Lane<Item> {
  return { channelId, workspaceId, waiting: [], onWire: 0, width: LANE_WIDTH, usualMs: null }
}

export function sizeOf<Item>(lane: Lane<Item> | undefined): number {
  return lane === undefined ? 0 : lane.onWire + lane.waiting.length
}

export function capacityOf<Item>(lane: Lane<Item> | undefined): number {
  if (lane === undefined) return ROUNDS * LANE_WIDTH
  if (lane.usualMs === null || lane.width < LANE_WIDTH) return ROUNDS * lane.width
  return lane.width * Math.floor(Math.min(QUICK_ROUNDS, Math.max(ROUNDS, ROUNDS_MS / lane.usualMs)))
}

/** From this size down a lane asks for more: a claim brings so many. */
export function roomBelow<Item>(lane: Lane<Item>): number {
  return isSlow(lane) ? 0 : Math.max(0, capacityOf(lane) - LANE_WIDTH)
}

export function isSlow<Item>(lane: Lane<Item>): boolean {
  return lane.width <= SLOW_WIDTH
}

/** Narrows the lane after a failure, widens it after an answer. */
export function noteAttempt<Item>(lane: Lane<Item>, { answered, durationMs }: Passed): void {
  lane.width = answered ? Math.min(LANE_WIDTH, lane.width + 1) : Math.max(1, Math.floor(lane.width / 2))
  if (answered) lane.usualMs = lane.usualMs === null ? durationMs : lane.usualMs + (durationMs - lane.usualMs) / 8
}

/**
 * How many one lane may have while `share` of the room is taken: lanes whose receivers begin to hang must not fill it.
 */
export function mostOfLane(share: number): number {
  if (share < 1 / 2) return Number.POSITIVE_INFINITY
  return share < 3 / 4 ? 2 * LANE_WIDTH : LANE_WIDTH
}
