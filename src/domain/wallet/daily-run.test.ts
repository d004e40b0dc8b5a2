import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { units } from '../../kernel/money.ts'
import { dayBefore, dueDay, planCheck, planRun, planUnmetered, type RunFacts, settledAtStart } from './daily-run.ts'
import { effectiveOf, isLow } from './wallet.ts'

const DAY = '2026-12-01'

const unsettledDay = fc.record({
  day: fc.integer({ min: 1, max: 28 }).map((day) => `2026-11-${String(day).padStart(2, '0')}`),
  amount: fc.nat(5000).map((mentions) => units(mentions * 24)),
})

/** Facts that fit together: what is unsettled is pending, with perhaps something of the day itself. */
const anyFacts: fc.Arbitrary<RunFacts> = fc
  .record({
    unsettled: fc
      .uniqueArray(unsettledDay, { selector: ({ day }) => day, maxLength: 5 })
      .map((days) => days.sort((a, b) => (a.day < b.day ? -1 : 1))),
    today: fc.nat(10_000),
    balance: fc.oneof(fc.integer({ min: -100_000, max: 400_000 }), fc.integer({ min: -1000, max: 5000 })).map(units),
    running: fc.oneof(fc.nat(5), fc.nat(500)),
    paused: fc.nat(5),
    lastCredit: fc.nat(1_000_000).map(units),
    lowTold: fc.boolean(),
  })
  .map(({ today, ...facts }) => ({
    ...facts,
    pending: units(facts.unsettled.reduce((sum, { amount }) => sum + amount, today)),
  }))

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

describe('the plan of a run', () => {
  test('pays for every running keyword or stops them all, and does one of both when any runs', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { charges, stops, entries } = planRun(DAY, facts)
        expect(charges && stops).toBe(false)
        expect(charges || stops).toBe(facts.running > 0)
        expect(charges).toBe(facts.running > 0 && facts.balance - facts.pending >= facts.running * 500)
        const days = entries.filter(({ kind }) => kind === 'debit_keyword_days')
        expect(days).toEqual(
          charges
            ? [
                {
                  kind: 'debit_keyword_days',
                  key: `keyword_days ${DAY}`,
                  day: DAY,
                  amount: facts.running * -500,
                  units: facts.running,
                },
              ]
            : [],
        )
      }),
    )
  })

  test('settles every day that was charged, whatever the balance, each under a key of its own and the oldest first', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const settled = planRun(DAY, facts).entries.filter(({ kind }) => kind === 'debit_mentions')
        expect(settled.map(({ day, amount, units: mentions }) => ({ day, amount: -amount, mentions }))).toEqual(
          facts.unsettled.filter(({ amount }) => amount > 0).map((day) => ({ ...day, mentions: day.amount / 24 })),
        )
        expect(planUnmetered(facts)).toEqual({ entries: settled, charges: false, stops: false, tellsLow: false })
        expect(new Set(settled.map(({ key }) => key)).size).toBe(settled.length)
      }),
    )
  })

  test('takes from the effective balance the day of the keywords and nothing else', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { entries, charges } = planRun(DAY, facts)
        const balance = facts.balance + sumOf(entries.map(({ amount }) => amount))
        const pending = facts.pending - sumOf(facts.unsettled.map(({ amount }) => amount))
        expect(balance - pending).toBe(effectiveOf(facts) - (charges ? facts.running * 500 : 0))
        if (charges) expect(balance - pending).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('says that the balance is low by what is left afterwards, and not when everything stops', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { charges, stops, tellsLow } = planRun(DAY, facts)
        if (stops || facts.lowTold) expect(tellsLow).toBe(false)
        if (charges && !facts.lowTold && facts.lastCredit > 0)
          expect(tellsLow).toBe(isLow({ ...facts, balance: units(facts.balance - facts.running * 500) }))
      }),
    )
  })
})

describe('a look between runs', () => {
  test('stops what runs exactly when nothing is left, and tells of nothing else then', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { stops, tellsLow } = planCheck(facts)
        expect(stops).toBe(facts.running > 0 && facts.balance - facts.pending <= 0)
        expect(stops && tellsLow).toBe(false)
      }),
    )
    const facts = {
      balance: units(24),
      pending: units(24),
      running: 1,
      paused: 0,
      lastCredit: units(100),
      lowTold: false,
    }
    expect(planCheck(facts)).toEqual({ stops: true, tellsLow: false })
    expect(planCheck({ ...facts, pending: units(23) })).toEqual({ stops: false, tellsLow: true })
  })
})

describe('the day of a run', () => {
  test('is due from five minutes past midnight (UTC) to its end', () => {
    expect(dueDay(new Date('2026-12-01T00:04:59.999Z'))).toBeNull()
    expect(dueDay(new Date('2026-12-01T00:05:00.000Z'))).toBe('2026-12-01')
    expect(dueDay(new Date('2026-12-01T23:59:59.999Z'))).toBe('2026-12-01')
    expect(dueDay(new Date('2026-12-02T00:00:00.000Z'))).toBeNull()
  })

  test('settles up to the day before, over the turns of months and years', () => {
    expect([dayBefore('2026-12-01'), dayBefore('2028-03-01'), dayBefore('2027-01-01')]).toEqual([
      '2026-11-30',
      '2028-02-29',
      '2026-12-31',
    ])
  })

  test('comes for a new workspace next when the clock says so', () => {
    // Made before the run of the day, which is still to come: so that it is due.
    expect(settledAtStart(new Date('2026-12-01T00:04:59.999Z'))).toBe('2026-11-29')
    expect(settledAtStart(new Date('2026-12-01T00:05:00.000Z'))).toBe('2026-11-30')
    for (const at of ['2026-12-01T00:00:00Z', '2026-12-01T00:05:00Z', '2026-12-01T12:00:00Z'].map(
      (text) => new Date(text),
    )) {
      const next = at.getTime() < Date.parse('2026-12-01T00:05:00Z') ? '2026-12-01' : '2026-12-02'
      expect(settledAtStart(at) < dayBefore(next)).toBe(true)
      expect(settledAtStart(at) < dayBefore(dayBefore(next))).toBe(false)
    }
  })
})
