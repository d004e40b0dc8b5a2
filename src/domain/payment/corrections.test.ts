import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { units } from '../../kernel/money.ts'
import { disputeCorrections, type Refunded, refundCorrection, refundedAfter } from './corrections.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1000)
const NOTHING: Refunded = { cents: 0, asOf: null }

/**
 * Walks what is told in this order and answers what the wallet lost, in cents, and the keys under which that was
 * booked.
 */
function walk(told: readonly { cents: number; asOf: Date }[]): { lost: number; keys: string[] } {
  let known = NOTHING
  let lost = 0
  const keys: string[] = []
  for (const item of told) {
    const after = refundedAfter(known, item)
    const correction = refundCorrection('pi_1', known, after)
    if (correction) {
      lost -= correction.amount / 30
      keys.push(correction.key)
    }
    known = after
  }
  return { lost, keys }
}

describe('what has gone back of a payment', () => {
  test('is taken from the wallet by the difference', () => {
    const [first, second] = [
      { cents: 500, asOf: at(1) },
      { cents: 1200, asOf: at(2) },
    ]
    expect(walk([first, second]).lost).toBe(1200)
    expect(refundCorrection('pi_1', first, second)).toEqual({
      kind: 'refund',
      key: 'refund pi_1 2026-11-20T00:00:02.000Z 1200',
      amount: -21_000,
    })
  })

  test('ends at what was told last, in whatever order and however often it is told', () => {
    // It grows from message to message, two of which may be of the same second.
    const story = fc
      .array(fc.record({ step: fc.integer({ min: 0, max: 2 }), more: fc.integer({ min: 1, max: 900 }) }), {
        minLength: 1,
        maxLength: 6,
      })
      .map((steps) => {
        let [second, cents] = [0, 0]
        return steps.map(({ step, more }) => {
          second += step
          cents += more
          return { cents, asOf: at(second) }
        })
      })
    const heard = story.chain((told) =>
      fc.tuple(fc.constant(told), fc.array(fc.constantFrom(...told), { maxLength: 8 })),
    )
    fc.assert(
      fc.property(
        heard.chain(([told, again]) =>
          fc.tuple(
            fc.constant(told),
            fc.shuffledSubarray([...told, ...again], { minLength: told.length + again.length }),
          ),
        ),
        ([told, order]) => {
          const { lost, keys } = walk(order)
          expect(lost).toBe(told.at(-1)!.cents)
          expect(new Set(keys).size).toBe(keys.length)
        },
      ),
    )
  })

  test('comes back when it failed, even when an older message follows', () => {
    const told = [
      { cents: 500, asOf: at(1) },
      { cents: 0, asOf: at(100) },
      { cents: 500, asOf: at(1) },
    ]
    expect(walk(told).lost).toBe(0)
    expect(walk([...told, { cents: 500, asOf: at(200) }]).lost).toBe(500)
  })
})

test('a dispute takes the money once, keeps it when it is lost and gives it back when it is won', () => {
  const keys = (state: 'asked' | 'open' | 'won' | 'lost') =>
    disputeCorrections({ id: 'dp_1', amount: 100, state }, null).map(({ key, amount }) => [key, amount])
  expect(keys('asked')).toEqual([])
  expect(keys('open')).toEqual([['dispute dp_1', -3000]])
  expect(keys('lost')).toEqual(keys('open'))
  expect(keys('won')).toEqual([...keys('open'), ['dispute dp_1 won', 3000]])
})

test('a dispute that is won gives back what it has taken, whatever amount is named then', () => {
  const amounts = disputeCorrections({ id: 'dp_1', amount: 100, state: 'won' }, units(-4500)).map(
    ({ amount }) => amount,
  )
  expect(amounts).toEqual([-4500, 4500])
})
