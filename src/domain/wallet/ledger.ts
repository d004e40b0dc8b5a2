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

export type LedgerAccount = 'revenue' | 'credit' | 'payment'

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

/** Credits that reset the low-balance threshold. */
export type CreditKind = Extract<LedgerKind, 'signup_credit' | 'topup' | 'auto_recharge' | 'grant'>

/** Whether the credit lifts the welcome limits. */
export function isTopUp(kind: CreditKind): boolean {
  return kind !== 'signup_credit'
}
