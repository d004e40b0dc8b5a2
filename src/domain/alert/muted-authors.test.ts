import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MentionFilter } from '../filter/fields.ts'
import { mutedAuthors, withMuted, withoutMuted } from './muted-authors.ts'

const authors = fc.uniqueArray(fc.constantFrom<string[]>('jane', 'joe', 'acme, inc.', 'https://x.com/acme'), {
  minLength: 1,
})
const filter: fc.Arbitrary<MentionFilter> = fc
  .record(
    { minLikes: fc.nat(), anyOf: fc.constant([{ excludeAuthors: ['jane'] }]), excludeAuthors: authors },
    { requiredKeys: [] },
  )
  .map((fields) => fields as MentionFilter)

test('muting twice is muting once, keeps who was muted before in place, and touches nothing else', () => {
  fc.assert(
    fc.property(filter, authors, (before, more) => {
      const after = withMuted(before, more)
      expect(withMuted(after, more)).toEqual(after)
      expect(mutedAuthors(after).slice(0, mutedAuthors(before).length)).toEqual(mutedAuthors(before))
      expect(new Set(mutedAuthors(after))).toEqual(new Set([...mutedAuthors(before), ...more]))
      expect({ ...after, excludeAuthors: before.excludeAuthors }).toEqual({
        ...before,
        excludeAuthors: before.excludeAuthors,
      })
    }),
  )
})

test('unmuting takes those and no others out, and leaves no empty list behind, which would be no filter to send again', () => {
  fc.assert(
    fc.property(filter, authors, (before, fewer) => {
      const after = withoutMuted(before, fewer)
      expect(mutedAuthors(after)).toEqual(mutedAuthors(before).filter((author) => !fewer.includes(author)))
      expect(withoutMuted(withMuted(before, fewer), fewer)).toEqual(after)
      expect(after.excludeAuthors).not.toEqual([])
      const { excludeAuthors: _, ...others } = before
      expect(withoutMuted(after, mutedAuthors(after))).toEqual(others)
    }),
  )
})
