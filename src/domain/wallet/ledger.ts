/** Every reason for which a balance moves, as callers see it. */
export const LEDGER_KINDS = [
  'signup_credit',
  'topup',
  'auto_recharge',
  'refund',
  'dispute',
  'debit_keyword_days',
  'debit_mentions',
  'grant',
  'adjustment',
] as const
export type LedgerKind = (typeof LEDGER_KINDS)[number]

/** The account across from the wallet: what was sold, what was given, or what was paid. */
export type LedgerAccount = 'revenue' | 'credit' | 'payment'

/** Where the other half of an entry stands. */
export const ACCOUNT_OF: Readonly<Record<LedgerKind, LedgerAccount>> = {
  signup_credit: 'credit',
  grant: 'credit',
  adjustment: 'credit',
  topup: 'payment',
  auto_recharge: 'payment',
  refund: 'payment',
  dispute: 'payment',
  debit_keyword_days: 'revenue',
  debit_mentions: 'revenue',
}

/** Kinds of credit after which the fifth that is called low is counted anew. */
export type CreditKind = Extract<LedgerKind, 'signup_credit' | 'topup' | 'auto_recharge' | 'grant'>

/** Whether a credit lifts the limits of the welcome credit: all do but the welcome credit itself. */
export function isTopUp(kind: CreditKind): boolean {
  return kind !== 'signup_credit'
}
