import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { units } from '../../kernel/money.ts'
import {
  covers,
  dayCost,
  effectiveOf,
  isLow,
  isLowToNotify,
  isStopped,
  paceOf,
  restores,
  type Wallet,
  walletNoticeOf,
} from './wallet.ts'

const wallet = (change: Partial<Record<keyof Wallet, number | boolean>> = {}): Wallet =>
  ({ balance: 1000, pending: 0, running: 1, paused: 0, lastCredit: 17_400, lowTold: false, ...change }) as Wallet

const anyWallet = fc.record({
  balance: fc.integer({ min: -10_000_000, max: 10_000_000 }).map(units),
  pending: fc.integer({ min: 0, max: 1_000_000 }).map(units),
  running: fc.nat(500),
  paused: fc.nat(500),
  lastCredit: fc.integer({ min: 0, max: 15_000_000 }).map(units),
  lowTold: fc.boolean(),
})

describe('the pace', () => {
  test.each([
    // Effective cents, cents of seven days, running keywords: cents a day and days.
    [524, 56, 1, 8, 65],
    [524, 59, 1, 8, 65],
    [7, 56, 0, 8, 0],
    [-100, 56, 1, 8, 0],
    [524, 0, 2, 0, 15],
    [524, 3, 2, 0, 15],
    [524, 3, 0, 0, null],
    [524, 0, 0, 0, null],
  ])(
    'with %d cents, %d spent in seven days and %d keywords is %d a day for %j days',
    (cents, spent, running, burnPerDayCents, daysLeft) => {
      expect(paceOf(wallet({ balance: cents * 30 + 24, pending: 24, running }), units(spent * 30))).toEqual({
        burnPerDayCents,
        daysLeft,
      })
    },
  )

  test('can be worked out from the figures that are shown', () => {
    fc.assert(
      fc.property(anyWallet, fc.nat(10_000_000).map(units), (any, spent) => {
        const { burnPerDayCents, daysLeft } = paceOf(any, spent)
        const { effectiveCents, nextDayCents } = walletNoticeOf(any)
        const rate = burnPerDayCents > 0 ? burnPerDayCents : nextDayCents
        expect(daysLeft).toBe(rate > 0 ? Math.max(0, Math.floor(effectiveCents / rate)) : null)
      }),
    )
  })
})

describe('a wallet', () => {
  test('pays a day to the last unit, and not with one unit less', () => {
    expect(covers(wallet({ balance: 1500 }), 3)).toBe(true)
    expect(covers(wallet({ balance: 1499 }), 3)).toBe(false)
    expect(covers(wallet({ balance: 1523, pending: 24 }), 3)).toBe(false)
    expect(covers(wallet({ balance: 1524, pending: 24 }), 3)).toBe(true)
  })

  test('is low at a fifth of the last credit and under it', () => {
    expect(isLow(wallet({ balance: 3480 }))).toBe(true)
    expect(isLow(wallet({ balance: 3481 }))).toBe(false)
    expect(isLow(wallet({ balance: 3504, pending: 24 }))).toBe(true)
  })

  test('says so once a credit, and neither while tracking is paused nor where there never was a credit', () => {
    expect(isLowToNotify(wallet())).toBe(true)
    expect(isLowToNotify(wallet({ lowTold: true }))).toBe(false)
    expect(isLowToNotify(wallet({ running: 0, paused: 2 }))).toBe(false)
    expect(isLowToNotify(wallet({ running: 1, paused: 2 }))).toBe(true)
    expect(isLowToNotify(wallet({ balance: 0, lastCredit: 0 }))).toBe(false)
  })

  test('has stopped everything when keywords wait for it and none runs', () => {
    expect([
      isStopped(wallet()),
      isStopped(wallet({ running: 0 })),
      isStopped(wallet({ running: 0, paused: 1 })),
      isStopped(wallet({ paused: 1 })),
    ]).toEqual([false, false, true, false])
  })

  test('starts all or none: what it restores can be paid for a day together with what runs', () => {
    fc.assert(
      fc.property(anyWallet, (item) => {
        const whole = { ...item, running: item.running + item.paused, paused: 0 }
        expect(restores(item)).toBe(item.paused > 0 && effectiveOf(item) >= dayCost(whole.running))
        if (restores(item)) expect(covers(whole, whole.running)).toBe(true)
      }),
    )
  })

  test('is told in whole cents, each rounded once and half up', () => {
    expect(walletNoticeOf(wallet({ balance: 17_415, pending: 1000, running: 2, paused: 1 }))).toEqual({
      balanceCents: 581,
      effectiveCents: 547,
      nextDayCents: 33,
      resumeCostCents: 50,
      activeKeywords: 2,
      pausedKeywords: 1,
    })
    fc.assert(
      fc.property(anyWallet, (item) => {
        const told = walletNoticeOf(item)
        expect(Math.abs(told.balanceCents * 30 - item.balance)).toBeLessThanOrEqual(15)
        expect(Math.abs(told.effectiveCents * 30 - effectiveOf(item))).toBeLessThanOrEqual(15)
        expect(told.resumeCostCents).toBeGreaterThanOrEqual(told.nextDayCents)
      }),
    )
  })
})
