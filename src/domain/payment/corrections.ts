import { centsToUnits, type Units, units } from '../../kernel/money.ts'
import type { DisputeEvent } from './event.ts'

/** The refunded sum of a payment and its timestamp; null before any refund. */
export interface Refunded {
  cents: number
  asOf: Date | null
}

/** The newer sum wins; at the same second the higher one, because only a failed refund lowers the sum, days later. */
export function refundedAfter(known: Refunded, told: { cents: number; asOf: Date }): Refunded {
  const [before, now] = [known.asOf?.getTime() ?? Number.NEGATIVE_INFINITY, told.asOf.getTime()]
  if (now < before) return known
  return now === before ? { cents: Math.max(known.cents, told.cents), asOf: told.asOf } : told
}

/** A ledger entry that takes money back or restores it. */
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
 * What a dispute takes and, when won, returns. `taken` is the amount booked before, negative. Each entry is booked once
 * under its key, so the order and repetition of events do not matter.
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
