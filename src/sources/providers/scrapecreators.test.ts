import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ServedReply } from '../conformance.suite.ts'
import { scripted } from './provided.suite.ts'
import { scrapeCreators } from './scrapecreators.ts'

const ask = scrapeCreators({ key: 'key-1', creditMicroUsd: 2000 })
const QUESTION = {
  path: '/v1/somewhere/search',
  parameters: { query: 'a & b' },
  shape: z.object({ posts: z.array(z.unknown()) }),
}
const json = (status: number, body: unknown): ServedReply => ({ status, body: JSON.stringify(body) })

describe('a question to ScrapeCreators', () => {
  test('takes the price of a credit before, and counts what it cost otherwise afterwards', async () => {
    for (const [charged, difference] of [
      [1, []],
      [3, [{ microUsd: 4000 }]],
      [0, [{ microUsd: -2000 }]],
      [1e9, []],
      ['many', []],
      [undefined, []],
    ] as const) {
      const { context, asked, spent } = scripted(() =>
        json(200, { success: true, credits_charged: charged, posts: [] }),
      )
      expect(await ask(context, QUESTION)).toEqual({ posts: [] })
      expect(asked[0]?.url.href).toBe('https://api.scrapecreators.com/v1/somewhere/search?query=a+%26+b')
      expect(asked[0]?.init).toMatchObject({ headers: { 'x-api-key': 'key-1' }, cost: { microUsd: 2000 } })
      expect(spent).toEqual(difference)
    }
  })

  test('counts what a refusal says that it did not cost', async () => {
    const { context, spent } = scripted(() => json(500, { success: false, credits_charged: 0 }))
    await expect(ask(context, QUESTION)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(spent).toEqual([{ microUsd: -2000 }])
  })

  test.each([
    ['credentials', json(401, { success: false, message: 'Invalid API key' })],
    ['credentials', json(402, { success: false, message: 'Out of credits' })],
    ['credentials', json(402, {})],
    ['credentials', json(403, {})],
    ['credentials', json(200, { success: false, message: 'You have no credits left' })],
    ['credentials', json(403, { success: false, error: 'Insufficient credits' })],
    ['credentials', json(429, { success: false, message: 'You don’t have enough credits' })],
    ['credentials', json(500, { success: false, message: 'Your credits are exhausted.' })],
    ['credentials', json(400, { success: false, message: 'No', credits_remaining: 0 })],
    [
      'unavailable',
      json(500, { success: false, message: 'It failed. No credits were charged.', credits_remaining: 12 }),
    ],
    ['unavailable', json(200, { success: false, message: 'It failed; your credit was returned' })],
    ['shape_changed', json(400, { success: false, message: 'This costs 5 credits: query is required' })],
    ['throttled', json(429, { success: false, message: 'Too many requests, 10 credits left' })],
    ['throttled', json(429, { success: false, message: 'Slow down, credits are charged for each request' })],
    ['unavailable', json(200, { success: false, error: 'It did not work' })],
    ['unavailable', json(503, { success: false })],
    ['throttled', json(429, { success: false })],
    ['shape_changed', json(404, { success: false, message: 'Not found' })],
    ['shape_changed', json(400, { success: false, message: 'query is required' })],
    ['shape_changed', json(200, { success: true, results: [] })],
    ['shape_changed', { status: 200, body: '<html></html>' }],
  ] as const)('that is refused is %s', async (kind, reply) => {
    const { context } = scripted(() => reply)
    await expect(ask(context, QUESTION)).rejects.toMatchObject({ kind })
  })

  test('says that no credits are left', async () => {
    const { context } = scripted(() => json(402, { success: false, message: 'Out of credits' }))
    await expect(ask(context, QUESTION)).rejects.toThrow('ScrapeCreators: no credits are left: Out of credits')
  })

  test('that took the last credit is answered', async () => {
    const { context } = scripted(() => json(200, { success: true, credits_remaining: 0, posts: [1] }))
    expect(await ask(context, QUESTION)).toEqual({ posts: [1] })
    const key = scripted(() => json(401, { success: false, message: 'Invalid API key', credits_remaining: 0 }))
    await expect(ask(key.context, QUESTION)).rejects.not.toThrow('credits')
  })

  test('does not take a lack of credits for having found nothing', async () => {
    const { context } = scripted(() => json(500, { success: false, message: 'Out of credits' }))
    await expect(ask(context, { ...QUESTION, nothingStatus: 500 })).rejects.toMatchObject({ kind: 'credentials' })
  })

  test('is answered with nothing only by the status that means it, in the words of the provider', async () => {
    const nothing = scripted(() => json(404, { success: false, message: 'No posts found' }))
    expect(await ask(nothing.context, { ...QUESTION, nothingStatus: 404 })).toBeNull()
    const gone = scripted(() => ({ status: 404, body: 'Cannot GET' }))
    await expect(ask(gone.context, { ...QUESTION, nothingStatus: 404 })).rejects.toMatchObject({
      kind: 'shape_changed',
    })
  })
})
