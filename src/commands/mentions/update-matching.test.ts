import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TRIAGE_LIMITS } from '../../domain/mention/triage.ts'
import { countObjection } from './update-matching.ts'

test('a count is accepted while it differs by at most a tenth of what is expected', () => {
  fc.assert(
    fc.property(
      fc.nat(TRIAGE_LIMITS.matching),
      fc.integer({ min: 1, max: TRIAGE_LIMITS.matching }),
      (found, expected) => {
        const objection = countObjection(found, expected)
        expect(objection === null).toBe(found >= expected * 0.9 && found <= expected + expected / 10)
        if (objection === null) return
        expect(objection.code).toBe('stale_version')
        expect(objection.message).toContain(`${found} mentions`)
        expect(objection.message).toContain(`expectedCount is ${expected}`)
      },
    ),
  )
})

test('more than the most is refused by naming the filter, whatever is expected', () => {
  expect(countObjection(TRIAGE_LIMITS.matching, TRIAGE_LIMITS.matching)).toBeNull()
  expect(countObjection(TRIAGE_LIMITS.matching + 1, TRIAGE_LIMITS.matching)).toMatchObject({
    code: 'validation_error',
    message: 'filter: must match at most 10000 mentions; add a condition',
  })
})
