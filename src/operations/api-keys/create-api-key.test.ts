import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'

import { API_KEY_LIMIT, createApiKey } from '../../commands/api-keys/create-api-key.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a key is shown once, works at once and may write unless told otherwise', async () => {
  const { status, body } = await acme.api('POST', '/v1/api-keys', { name: ' Build  server ' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
    name: 'Build server',
    prefix: body.key.slice(0, 10),
    scope: 'write',
    createdAt: world.clock.now().toISOString(),
    lastUsedAt: null,
    expiresAt: null,
    key: expect.stringMatching(/^ref_[A-Za-z0-9_-]{43}$/),
  })
  expect((await acme.api('POST', '/v1/groups', { name: 'By the new key' }, { key: body.key })).status).toBe(201)
})

test('of people only owners make keys, and others are told that and what keys may', async () => {
  for (const role of ['admin', 'member'] as const) {
    const { token } = await createPerson(world.services, acme.workspaceId, role)
    const { status, body } = await acme.api('POST', '/v1/api-keys', { name: 'No' }, { key: token })
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'forbidden',
      'This operation is for the owners of the workspace, and for API keys with write scope.',
    ])
  }
})

test('only the hash of a key is stored', async () => {
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Hidden' })
  const stored = await world.db.query<{ row: string }>(sql`select api_key::text as row from api_key`)
  expect(stored.length).toBeGreaterThan(2)
  expect(stored.filter(({ row }) => row.includes(body.key.slice(10)))).toEqual([])
})

test('a read key is made on request', async () => {
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Reader', scope: 'read' })
  expect(body.scope).toBe('read')
  expect((await acme.api('POST', '/v1/groups', { name: 'No' }, { key: body.key })).body.error.code).toBe(
    'read_only_key',
  )
})

test.each([
  ['an ISO time', (at: Date) => at.toISOString()],
  ['an ISO time with an offset', (at: Date) => new Date(at.getTime() + 7_200_000).toISOString().replace('Z', '+02:00')],
  ['milliseconds', (at: Date) => at.getTime()],
])('the end of a key is taken as %s', async (_, write) => {
  const at = plus(world.clock.now(), DAY_MS)
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Ending', expiresAt: write(at) })
  expect(body.expiresAt).toBe(at.toISOString())
})

test.each([
  [{}, 'name: is required'],
  [{ name: '' }, 'name: must not be empty'],
  [{ name: 'x'.repeat(81) }, 'name: must have at most 80 characters'],
  [{ name: 'x', scope: 'admin' }, 'scope: must be one of read, write'],
  [
    { name: 'x', expiresAt: 'tomorrow' },
    'expiresAt: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
  ],
  [{ name: 'x', expiresAt: '2026-11-20T09:30:00.000Z' }, 'expiresAt: must be in the future'],
  [{ name: 'x', expiresAt: 0 }, 'expiresAt: must be in the future'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await acme.api('POST', '/v1/api-keys', body)
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, 'validation_error', message])
})

test('a workspace never has more than 100 unrevoked keys, also when many are made at once', async () => {
  const full = await world.workspace('Full')
  for (let made = 2; made < API_KEY_LIMIT - 3; made += 1)
    accepted(await createApiKey(full, { name: 'Filler', scope: 'read', expiresAt: null }))
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => full.api('POST', '/v1/api-keys', { name: 'Race' })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(7).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('key_limit')

  await full.api('DELETE', `/v1/api-keys/${answers.find(({ status }) => status === 201)!.body.id}`)
  expect((await full.api('POST', '/v1/api-keys', { name: 'Freed' })).status).toBe(201)
})
