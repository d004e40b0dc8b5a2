import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('keys are listed oldest first and without their secrets', async () => {
  const { status, body } = await acme.api('GET', '/v1/api-keys')
  expect(status).toBe(200)
  expect(body.data.map(({ name, scope }: { name: string; scope: string }) => [name, scope])).toEqual([
    ['write', 'write'],
    ['read', 'read'],
  ])
  expect(Object.keys(body.data[0]).sort()).toEqual([
    'createdAt',
    'expiresAt',
    'id',
    'lastUsedAt',
    'name',
    'prefix',
    'scope',
  ])
  expect(acme.writeKey.startsWith(body.data[0].prefix)).toBe(true)
  expect(JSON.stringify(body)).not.toContain(acme.writeKey)
})

test('owners and admins are shown the keys, members are not', async () => {
  const statuses: unknown[] = []
  for (const role of ['owner', 'admin', 'member'] as const) {
    const { token } = await createPerson(world.services, acme.workspaceId, role, { scope: 'read' })
    const { status, body } = await acme.api('GET', '/v1/api-keys', undefined, { key: token })
    statuses.push([status, body.error?.code ?? null])
  }
  expect(statuses).toEqual([
    [200, null],
    [200, null],
    [403, 'forbidden'],
  ])
})

test('an expired key stays listed until it is revoked', async () => {
  const { body: made } = await acme.api('POST', '/v1/api-keys', {
    name: 'Brief',
    expiresAt: plus(world.clock.now(), HOUR_MS).toISOString(),
  })
  await world.clock.advance(2 * HOUR_MS)
  const names = async () => (await acme.api('GET', '/v1/api-keys')).body.data.map(({ name }: { name: string }) => name)
  expect(await names()).toContain('Brief')
  await acme.api('DELETE', `/v1/api-keys/${made.id}`)
  expect(await names()).not.toContain('Brief')
})
