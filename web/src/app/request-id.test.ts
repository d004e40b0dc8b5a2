import { expect, test } from 'vitest'
import { newRequestId } from './request-id.ts'

test('request ids are random UUIDs', () => {
  expect(newRequestId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(Array.from({ length: 50 }, newRequestId)).size).toBe(50)
})
