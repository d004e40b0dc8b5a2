import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'

/** In days. Counters by day, digests and attention read up to 30 days back. */
export const MENTIONS_KEPT = { min: 30, max: 3650 } as const
/** In days. */
export const DELIVERIES_KEPT = { min: 7, max: 3650, default: 30 } as const

/** The installation's periods in days. A workspace may choose shorter ones. */
export interface Retention {
  /** Null keeps mentions without an end. */
  mentionDays: number | null
  deliveryDays: number
}

/** A workspace's own periods in days; null follows the installation. */
export interface OwnRetention {
  mentionDays: number | null
  deliveryDays: number | null
}

export interface DueWorkspace {
  workspaceId: Uuid
  /** Rows with a smaller id are beyond the period. */
  before: Uuid
}

/** The shorter of a workspace's own period and the installation's; null when both are. */
export function keptDays(own: number | null, installation: number): number
export function keptDays(own: number | null, installation: number | null): number | null
export function keptDays(own: number | null, installation: number | null): number | null {
  if (own === null || installation === null) return own ?? installation
  return Math.min(own, installation)
}

/** Older ones are not kept; null when there is no period. */
export function keptSince(days: number, at: Date): Date
export function keptSince(days: number | null, at: Date): Date | null
export function keptSince(days: number | null, at: Date): Date | null {
  return days === null ? null : plus(at, -days * DAY_MS)
}
