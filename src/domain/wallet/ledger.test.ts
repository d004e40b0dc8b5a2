import { expect, test } from 'vitest'
import { ACCOUNT_OF, type CreditKind, isTopUp, LEDGER_KINDS } from './ledger.ts'

test('what is sold, what is given and what is paid stand on accounts of their own', () => {
  const on = (account: string) => LEDGER_KINDS.filter((kind) => ACCOUNT_OF[kind] === account)
  expect(on('revenue')).toEqual(['debit_keyword_days', 'debit_mentions'])
  expect(on('credit')).toEqual(['signup_credit', 'grant', 'adjustment'])
  expect(on('payment')).toEqual(['topup', 'auto_recharge', 'refund', 'dispute'])
})

test('every credit counts as a top-up but the welcome credit', () => {
  const credits: CreditKind[] = ['signup_credit', 'topup', 'auto_recharge', 'grant']
  expect(credits.filter(isTopUp)).toEqual(['topup', 'auto_recharge', 'grant'])
})
