import type { Uuid } from '../../kernel/ids.ts'

export const LANE_WIDTH = 8
/** Two rounds end within the lease even when receivers use their ten seconds. */
const ROUNDS = 2
/** Most rounds for a fast receiver, if they take no longer than `ROUNDS_MS`. */
const QUICK_ROUNDS = 16
const ROUNDS_MS = 5000
const SLOW_WIDTH = 2

export interface LaneResult {
  /** The receiver accepted, or refused for good. */
  answered: boolean
  durationMs: number
}

export interface Lane<Item> {
  channelId: Uuid
  workspaceId: Uuid
  waiting: Item[]
  onWire: number
  /** Halved by a failed attempt, plus one for an answered attempt. */
  width: number
  /** Milliseconds, averaged over answered attempts. */
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

export function roomBelow<Item>(lane: Lane<Item>): number {
  return isSlow(lane) ? 0 : Math.max(0, capacityOf(lane) - LANE_WIDTH)
}

export function isSlow<Item>(lane: Lane<Item>): boolean {
  return lane.width <= SLOW_WIDTH
}

export function noteAttempt<Item>(lane: Lane<Item>, { answered, durationMs }: LaneResult): void {
  lane.width = answered ? Math.min(LANE_WIDTH, lane.width + 1) : Math.max(1, Math.floor(lane.width / 2))
  if (answered) lane.usualMs = lane.usualMs === null ? durationMs : lane.usualMs + (durationMs - lane.usualMs) / 8
}

/** Limit per lane by the used share of the capacity, so that hanging receivers do not fill it. */
export function mostOfLane(share: number): number {
  if (share < 1 / 2) return Number.POSITIVE_INFINITY
  return share < 3 / 4 ? 2 * LANE_WIDTH : LANE_WIDTH
}
