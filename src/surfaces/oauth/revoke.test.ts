import { beforeAll, expect, test } from 'vitest'
import { useResource } from '../../../test/use-world.ts'
import type { RegisteredClient } from '../../commands/oauth/register-client.ts'
import { createDanceFloor, refreshOf } from './dance.suite.ts'

let client: RegisteredClient
const floor = useResource(createDanceFloor)
beforeAll(async () => {
  client = await floor.client()
})

test.each(['access_token', 'refresh_token'])(
  'giving back the %s ends both, and doing so again changes nothing',
  async (which) => {
    const { body } = await floor.tokens(client)
    for (let time = 0; time < 2; time += 1) {
      const revoked = await floor.post('/oauth/revoke', {
        client_id: client.id,
        token: body[which],
        token_type_hint: 'nonsense',
      })
      expect([revoked.status, revoked.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    }
    expect(await floor.statusOf(body.access_token)).toBe(401)
    expect((await floor.post('/oauth/token', refreshOf(client, body.refresh_token))).body.error).toBe('invalid_grant')
  },
)

test('a token that nobody knows is as good as revoked', async () => {
  for (const token of ['x', `eat_${'A'.repeat(43)}`, `ert_${'A'.repeat(43)}`, floor.acme.writeKey])
    expect((await floor.post('/oauth/revoke', { client_id: client.id, token })).status).toBe(200)
  expect((await floor.acme.api('GET', '/v1/whoami')).status).toBe(200)
})

test('nobody gives back what is not theirs', async () => {
  const other = await floor.client()
  const keeper = await floor.client({ authMethod: 'client_secret_basic' })
  const { body } = await floor.tokens(client)
  expect((await floor.post('/oauth/revoke', { client_id: other.id, token: body.access_token })).body.error).toBe(
    'invalid_grant',
  )
  expect((await floor.post('/oauth/revoke', { client_id: keeper.id, token: body.access_token })).status).toBe(401)
  expect((await floor.post('/oauth/revoke', { token: body.access_token })).status).toBe(401)
  expect((await floor.post('/oauth/revoke', { client_id: client.id })).body.error).toBe('invalid_request')
  expect(await floor.statusOf(body.access_token)).toBe(200)
})
