import { centsToUnits, type Units, units } from '../../kernel/money.ts'
import type { DisputeEvent } from './event.ts'

/** Null before any refund. */
export interface Refunded {
  cents: number
  asOf: Date | null
}

/** The newer sum wins; at the same second the higher one, because only a failed refund, days later, lowers it. */
export function refundedAfter(known: Refunded, told: { cents: number; asOf: Date }): Refunded {
  const [before, now] = [known.asOf?.getTime() ?? Number.NEGATIVE_INFINITY, told.asOf.getTime()]
  if (now < before) return known
  return now === before ? { cents: Math.max(known.cents, told.cents), asOf: told.asOf } : told
}

export interface Correction {
  kind: 'refund' | 'dispute'
  key: string
  amount: Units
}

export function refundCorrection(reference: string, known: Refunded, after: Refunded): Correction | null {
  const newly = after.cents - known.cents
  if (newly === 0 || after.asOf === null) return null
  return {
    kind: 'refund',
    key: `refund ${reference} ${after.asOf.toISOString()} ${after.cents}`,
    amount: units(-centsToUnits(newly)),
  }
}

export function disputeKey({ id }: Pick<DisputeEvent, 'id'>): string {
  return `dispute ${id}`
}

/**
 * `taken` is negative, as booked before. Each entry is booked once under its key, so order and repetition of events do
 * not matter.
 */
export function disputeCorrections(
  dispute: Pick<DisputeEvent, 'id' | 'amount' | 'state'>,
  taken: Units | null,
): Correction[] {
  if (dispute.state === 'asked') return []
  const key = disputeKey(dispute)
  const amount = taken ?? units(-centsToUnits(dispute.amount))
  const taking: Correction = { kind: 'dispute', key, amount }
  return dispute.state === 'won' ? [taking, { kind: 'dispute', key: `${key} won`, amount: units(-amount) }] : [taking]
}
