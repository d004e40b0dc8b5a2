import { describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import { isRefusal, refuse, refuseField } from './refusal.ts'

const CODES = Object.entries(ERROR_CODES) as [
  ErrorCode,
  { statuses: readonly number[]; meaning: string; retryable?: true },
][]

describe.each(CODES)('%s', (code, { statuses, meaning, retryable }) => {
  test('is a stable name with the statuses of an error and a sentence that says what it means', () => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    for (const status of statuses) expect(status >= 400 && status < 600).toBe(true)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
  })

  test('is retryable only where the same request can succeed later', () => {
    if (retryable) expect(statuses.some((status) => status >= 500 || status === 408 || status === 429)).toBe(true)
    expect(refuse(code, 'No.').status).toBe(statuses[0])
  })
})

test('a refusal can carry another status and when to come back', () => {
  expect(refuse('payload_too_large', 'Too large.', { status: 409 })).toMatchObject({
    code: 'payload_too_large',
    message: 'Too large.',
    status: 409,
    retryAfterSeconds: undefined,
  })
  expect(refuse('rate_limited', 'Too many.', { retryAfterSeconds: 7 })).toMatchObject({
    status: 429,
    retryAfterSeconds: 7,
  })
})

test('a wrong field is named before the reason', () => {
  expect(refuseField('matching.requiredTerms.0', 'is required')).toMatchObject({
    code: 'validation_error',
    status: 400,
    message: 'matching.requiredTerms.0: is required',
  })
})

test('only a refusal is one', () => {
  expect(isRefusal(refuse('conflict', 'No.'))).toBe(true)
  for (const value of [null, undefined, {}, { code: 'conflict', message: 'No.', status: 409 }, new Error('No.')])
    expect(isRefusal(value)).toBe(false)
})
