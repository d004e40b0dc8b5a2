import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BudgetStanding, equalPart, mayReserve } from './fair-share.ts'

const standing = (changes: Partial<BudgetStanding>): BudgetStanding => ({
  budget: 1000,
  total: 0,
  own: 0,
  places: 1,
  othersClaim: 0,
  ...changes,
})

describe('a part of the budget', () => {
  test('is all of it for a workspace that is alone', () => {
    expect(mayReserve(standing({ total: 900, own: 900 }), 100)).toBe(true)
    expect(mayReserve(standing({ total: 900, own: 900 }), 101)).toBe(false)
  })

  test('is at least an equal one, whatever others claim', () => {
    expect(mayReserve(standing({ places: 4, othersClaim: 750, total: 749, own: 249 }), 1)).toBe(true)
    expect(mayReserve(standing({ places: 4, othersClaim: 750, total: 250, own: 250 }), 1)).toBe(false)
  })

  test('holds one call at least, so that many who used theirs yesterday do not shut out one another', () => {
    expect(mayReserve(standing({ places: 100, othersClaim: 990, total: 500 }), 50)).toBe(true)
    expect(mayReserve(standing({ places: 100, othersClaim: 990, total: 500, own: 5 }), 50)).toBe(false)
    expect(mayReserve(standing({ places: 100, othersClaim: 990, total: 951 }), 50)).toBe(false)
  })

  test('is more where others leave theirs, but for the last tenth', () => {
    expect(mayReserve(standing({ places: 2, othersClaim: 0, total: 899, own: 899 }), 1)).toBe(true)
    expect(mayReserve(standing({ places: 2, othersClaim: 0, total: 900, own: 900 }), 1)).toBe(false)
    expect(mayReserve(standing({ places: 2, othersClaim: 500, total: 900, own: 0 }), 100)).toBe(true)
  })

  test('never lets the day cost more than its budget, and lets nobody be kept from an equal part by who took more', () => {
    const workspaces = 3
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(workspaces - 1), fc.integer({ min: 1, max: 60 })), { maxLength: 200 }),
        (asked) => {
          const spent: number[] = Array(workspaces).fill(0)
          // All were there yesterday and used much.
          const expected = Array(workspaces).fill(500)
          for (const [own, amount] of asked) {
            const claim = spent.reduce(
              (sum, value, at) =>
                at === own ? sum : sum + Math.min(Math.max(value, expected[at]!), equalPart(1000, workspaces)),
              0,
            )
            const total = spent.reduce((sum, value) => sum + value)
            if (mayReserve(standing({ places: workspaces, othersClaim: claim, total, own: spent[own]! }), amount))
              spent[own]! += amount
            else expect(spent[own]! + amount).toBeGreaterThan(equalPart(1000, workspaces))
          }
          expect(spent.reduce((sum, value) => sum + value)).toBeLessThanOrEqual(1000)
        },
      ),
    )
  })
})
