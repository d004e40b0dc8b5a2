import { expect, test } from 'vitest'
import { ServiceClient } from './service-client.ts'

const NOW = new Date('2026-11-27T12:00:00Z')

function asking(...answers: Response[]) {
  const waits: number[] = []
  const clock = { now: () => NOW, wait: async (ms: number) => void waits.push(ms) }
  const api = new ServiceClient(
    { forwardTo: 'http://localhost:3000', url: 'https://earshot.example', key: 'ref_1' },
    {
      clock: clock as never,
      fetch: async () => answers.shift()!,
      say: () => undefined,
      signal: new AbortController().signal,
    },
  )
  return { api, waits }
}

test.each([
  ['40', 40_000],
  ['Fri, 27 Nov 2026 12:00:50 GMT', 50_000],
  ['soon', 500],
])('Retry-After %j is waited for', async (header, ms) => {
  const busy = new Response('', { status: 429, headers: { 'retry-after': header } })
  const { api, waits } = asking(busy, Response.json({ data: [] }))
  expect(await api.get('/v1/channels')).toEqual({ body: { data: [] }, at: NOW })
  expect(waits).toEqual([ms])
})

test('a page in the place of JSON ends the command', async () => {
  const { api } = asking(new Response('<h1>Sign in</h1>'))
  await expect(api.get('/v1/channels')).rejects.toThrow('something else than JSON. Is it the address of an Earshot?')
})
