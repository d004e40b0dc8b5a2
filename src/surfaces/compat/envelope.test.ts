import { expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../domain/refusal/error-codes.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { COMPAT_CODES, compatAnswerTo, compatCodeOf } from './envelope.ts'

test.each([
  ['request_timeout', 408, 'REQUEST_TIMEOUT'],
  ['database_unavailable', 503, 'SERVICE_UNAVAILABLE'],
  ['database_not_ready', 503, 'SERVICE_UNAVAILABLE'],
  ['query_timeout', 503, 'SERVICE_UNAVAILABLE'],
  ['internal_error', 500, 'INTERNAL_ERROR'],
  ['insufficient_balance', 402, 'QUOTA_EXCEEDED'],
  ['keyword_limit_reached', 400, 'KEYWORD_LIMIT_EXCEEDED'],
  ['read_only_key', 403, 'FORBIDDEN'],
  ['invalid_cursor', 400, 'VALIDATION_ERROR'],
] as const)('%s is %i %s', (code, status, name) => {
  const answer = compatAnswerTo(refuse(code, 'A message.'), 'req_x')
  expect([answer.status, answer.body.error.status, answer.body.error.code]).toEqual([status, status, name])
  expect('Retry-After' in answer.headers).toBe('retryable' in ERROR_CODES[code])
})

test('every code of ours has one of theirs, of a status that fits', () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const status = ERROR_CODES[code].statuses[0]
    const theirs = COMPAT_CODES[compatCodeOf(code)].status
    expect([code, Math.floor(theirs / 100) === Math.floor(status / 100) || theirs === 501]).toEqual([code, true])
  }
})

test('details stand on a validation error only, and a missing thing is called by its operation', () => {
  const wrong = compatAnswerTo(refuseField('filters.source', 'is wrong'), 'req_x').body.error
  expect(wrong.details).toEqual([{ path: 'filters.source', message: 'is wrong' }])
  expect(compatAnswerTo(refuse('conflict', 'Full.'), 'req_x').body.error.details).toEqual([
    { path: 'name', message: 'Full.' },
  ])
  const missing = compatAnswerTo(refuse('not_found', 'Gone.'), 'req_x', 'FEED_NOT_FOUND')
  expect(missing.body.error).toEqual({ code: 'FEED_NOT_FOUND', message: 'Gone.', status: 404, requestId: 'req_x' })
})
