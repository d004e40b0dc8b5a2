import { expect, test } from 'vitest'
import { toCompanyChange } from './company-draft.ts'

test('empty texts clear, and accounts are sent together', () => {
  expect(toCompanyChange({ name: 'Acme', website: ' ', x: '@acme' })).toEqual({
    name: 'Acme',
    website: null,
    accounts: { x: '@acme' },
  })
  expect(toCompanyChange({ linkedin: '' })).toEqual({ accounts: { linkedin: null } })
  expect(toCompanyChange({ competitors: ['Bcme'] })).toEqual({ competitors: ['Bcme'] })
})
