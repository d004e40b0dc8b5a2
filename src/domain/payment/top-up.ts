/** In US cents. */
export const TOP_UP_CENTS = { min: 2000, max: 500_000, proposed: 5000 } as const

export interface AutoRecharge {
  enabled: boolean
  /** The effective balance below which a recharge starts, in US cents. */
  thresholdCents: number
  /** In US cents. */
  amountCents: number
}

export const AUTO_RECHARGE_DEFAULT: AutoRecharge = {
  enabled: false,
  thresholdCents: 1000,
  amountCents: TOP_UP_CENTS.proposed,
}

/** In US cents. */
export const THRESHOLD_CENTS = { min: 100, max: TOP_UP_CENTS.max } as const

export const PAYMENT_KINDS = ['topup', 'auto_recharge'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]
