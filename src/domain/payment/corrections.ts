import { centsToUnits, type Units, units } from '../../kernel/money.ts'
import type { DisputeEvent } from './event.ts'

/** What is known to have gone back of a payment, in cents, and as of when that was told; null before anything was. */
export interface Refunded {
  cents: number
  asOf: Date | null
}

/**
 * What is known after it is told that so much has gone back in all. Told later counts; of two that are told as of the
 * same second the higher one does, because only a failed refund makes it less, and those are days later.
 */
export function refundedAfter(known: Refunded, told: { cents: number; asOf: Date }): Refunded {
  const [before, now] = [known.asOf?.getTime() ?? Number.NEGATIVE_INFINITY, told.asOf.getTime()]
  if (now < before) return known
  return now === before ? { cents: Math.max(known.cents, told.cents), asOf: told.asOf } : told
}

/** A line of the ledger that takes money back, or gives it again. */
export interface Correction {
  kind: 'refund' | 'dispute'
  key: string
  amount: Units
}

/** What a wallet loses by what has newly gone back of a payment; null when nothing has. */
export function refundCorrection(reference: string, known: Refunded, after: Refunded): Correction | null {
  const newly = after.cents - known.cents
  if (newly === 0 || after.asOf === null) return null
  return {
    kind: 'refund',
    key: `refund ${reference} ${after.asOf.toISOString()} ${after.cents}`,
    amount: units(-centsToUnits(newly)),
  }
}

/** The line under which a dispute has taken money. */
export function disputeKey({ id }: Pick<DisputeEvent, 'id'>): string {
  return `dispute ${id}`
}

/**
 * What a dispute takes from a wallet, and gives back when it is won: what was `taken` by it before, negative, or else
 * what is told now. Each line is booked once under its key, so it does not matter in which order, or how often, the
 * states of a dispute are told.
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
