import { expect, test } from 'vitest'
import { units } from '../../kernel/money.ts'
import { failureText, needsRecharge } from './recharge.ts'

test('a wallet is recharged when what is really left is below the threshold, not at it', () => {
  const left = (balance: number, pending: number) =>
    needsRecharge({ balance: units(balance), pending: units(pending) }, { thresholdCents: 100 })
  expect([left(3000, 0), left(2999, 0), left(5000, 2000), left(5000, 2001), left(-10, 0)]).toEqual([
    false,
    true,
    false,
    true,
    true,
  ])
})

test.each([
  ['authentication_required', /^authentication_required: The bank requires/],
  ['insufficient_funds', /^insufficient_funds: The card has insufficient funds/],
  ['some_new_reason', /^some_new_reason: The payment did not go through\.$/],
  ['<b>4242 4242</b>', /^failed: The payment did not go through\.$/],
  ['toString', /^failed: The payment did not go through\.$/],
])('the reason %j is told in words of ours', (code, text) => {
  expect(failureText(code)).toMatch(text)
  expect(failureText(code).length).toBeLessThanOrEqual(200)
})

test('a reason named like something else of the language is no reason of ours', () => {
  expect(failureText('constructor')).toBe('constructor: The payment did not go through.')
})
