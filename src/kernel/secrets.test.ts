import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newSecret, SECRET_KINDS, secretOf } from './secrets.ts'

test.each(SECRET_KINDS)('a secret of kind %s is found again by its hash, and no two are equal', (kind) => {
  const { text, hash } = newSecret(kind)
  expect(text).toMatch(new RegExp(`^${kind}_[A-Za-z0-9_-]{43}$`))
  expect(hash).toEqual(createHash('sha256').update(text).digest())
  expect(secretOf(text)).toEqual({ kind, hash })
  expect(newSecret(kind).text).not.toBe(text)
})

test.each([
  '',
  'ref_',
  `ref_${'x'.repeat(42)}`,
  `ref_${'x'.repeat(44)}`,
  `xyz_${'x'.repeat(43)}`,
  `REF_${'x'.repeat(43)}`,
  `ref_${'x'.repeat(42)}+`,
  `ref_${'x'.repeat(43)}\n`,
])('%j is no secret', (text) => {
  expect(secretOf(text)).toBeNull()
})
