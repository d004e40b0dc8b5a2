import { expect, test } from 'vitest'
import { PLATFORMS, REVIEW_PLATFORMS } from '../../../domain/platform/platforms.ts'
import { FAMILIES, familyOf } from './family.ts'

test('places every platform in a family, the platforms of reviews all in one', () => {
  expect(new Set(PLATFORMS.map(familyOf))).toEqual(new Set(FAMILIES))
  expect(PLATFORMS.filter((platform) => familyOf(platform) === 'reviews')).toEqual(REVIEW_PLATFORMS)
})

test('keeps the order of the families, which the model file relies on', () => {
  expect(FAMILIES).toEqual(['social', 'developer', 'reviews', 'forum', 'news'])
})
