import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'

import { HOUR_MS, plus } from '../../kernel/clock.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a key learns its workspace, its scope and its end', async () => {
  const keys = (await acme.api('GET', '/v1/api-keys')).body.data
  for (const [scope, key] of [
    ['read', acme.readKey],
    ['write', acme.writeKey],
  ] as const) {
    const { status, body } = await acme.api('GET', '/v1/whoami', undefined, { key })
    expect(status).toBe(200)
    expect(body).toEqual({
      workspace: { id: acme.orgId, name: 'Acme' },
      auth: {
        kind: 'api_key',
        scope,
        apiKeyId: keys.find((listed: { name: string }) => listed.name === scope).id,
        expiresAt: null,
      },
      user: null,
      limits: expect.objectContaining({ alerts: 100, channels: 50, groups: 200 }),
    })
  }
})

test('a key that ends says when', async () => {
  const expiresAt = plus(world.clock.now(), HOUR_MS).toISOString()
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Ending', expiresAt })
  expect((await acme.api('GET', '/v1/whoami', undefined, { key: body.key })).body.auth).toMatchObject({
    apiKeyId: body.id,
    expiresAt,
  })
})
