/** How much can be paid in at once, in US cents, and what is proposed to somebody who names no amount. */
export const TOP_UP_CENTS = { min: 2000, max: 500_000, proposed: 5000 } as const

/** When and how much is paid in by itself. */
export interface AutoRecharge {
  enabled: boolean
  /** Charged as soon as the effective balance is below this, in US cents. */
  thresholdCents: number
  /** How much is charged, in US cents, within the bounds of any top-up. */
  amountCents: number
}

/** What counts before somebody chooses otherwise. */
export const AUTO_RECHARGE_DEFAULT: AutoRecharge = {
  enabled: false,
  thresholdCents: 1000,
  amountCents: TOP_UP_CENTS.proposed,
}

/** Bounds of the threshold, in US cents. */
export const THRESHOLD_CENTS = { min: 100, max: TOP_UP_CENTS.max } as const

/** Why money comes in through the payment provider, as it stands in the ledger. */
export const PAYMENT_KINDS = ['topup', 'auto_recharge'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]
