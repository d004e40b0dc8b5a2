import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a feed gets an address that nobody knows yet, and nothing else of the view changes', async () => {
  const { body } = await acme.api('POST', '/v1/views', { name: 'Secret' })
  const seen = new Set<string>([body.feedUrl])
  for (let at = 0; at < 3; at += 1) {
    const rotated = (await acme.api('POST', `/v1/views/${body.id}/rotate-feed-token`)).body
    expect(rotated).toEqual({ ...body, feedUrl: expect.any(String), updatedAt: world.clock.now().toISOString() })
    seen.add(rotated.feedUrl)
  }
  expect(seen.size).toBe(4)
  expect(
    (await acme.api('POST', `/v1/views/${body.id}/rotate-feed-token`, undefined, { key: acme.readKey })).status,
  ).toBe(403)
})
