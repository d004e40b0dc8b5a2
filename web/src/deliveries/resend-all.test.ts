import { expect, test } from 'vitest'
import type { Delivery } from '../api/deliveries.ts'
import { ApiError } from '../api/errors.ts'
import { doneOf, type ResendProgress, resendAll } from './resend-all.ts'

const refusal = (message: string) => new ApiError(409, { code: 'not_retryable', message })
const limit = new ApiError(429, { code: 'rate_limited', message: 'Too many.', retryAfterSeconds: 7 })

async function resent(answers: (ApiError | null)[], stopAfter = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  const sent: string[] = []
  const waits: number[] = []
  const told: ResendProgress[] = []
  const outcome = await resendAll({
    deliveries: ['a', 'b', 'c'].map((id) => ({ id }) as Delivery),
    send: async ({ id }) => {
      sent.push(id)
      const answer = answers[sent.length - 1]
      if (answer) throw answer
    },
    wait: async (milliseconds) => {
      waits.push(milliseconds)
      if (waits.length >= stopAfter) stop.abort()
    },
    signal: stop.signal,
    onProgress: (progress) => told.push(progress),
  })
  return { sent, waits, told, outcome }
}

test('refusals are counted by reason, and the others are sent', async () => {
  const { sent, outcome } = await resent([null, refusal('The mention is done.'), refusal('The mention is done.')])
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(outcome).toEqual({ sent: 1, refused: new Map([['The mention is done.', 2]]), waitSeconds: null })
  expect(doneOf(outcome)).toBe(3)
})

test('a delivery that the limit of requests refused is sent after the wait', async () => {
  const { sent, waits, told, outcome } = await resent([null, limit])
  expect(sent).toEqual(['a', 'b', 'b', 'c'])
  expect(waits).toContain(7000)
  expect(told.map(({ waitSeconds }) => waitSeconds)).toEqual([null, 7, null, null])
  expect(outcome.sent).toBe(3)
})

test('it ends when somebody stops it', async () => {
  const { sent, outcome } = await resent([], 2)
  expect(sent).toEqual(['a', 'b'])
  expect(outcome.sent).toBe(2)
})

test('a fault of the page is no refusal', async () => {
  const send = () => Promise.reject(new TypeError('broken'))
  const signal = new AbortController().signal
  const deliveries = [{ id: 'a' } as Delivery]
  const wait = () => Promise.resolve()
  await expect(resendAll({ deliveries, send, wait, signal, onProgress: () => undefined })).rejects.toThrow('broken')
})
