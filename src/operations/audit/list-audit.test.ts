import { beforeEach, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { AUDIT_LIFETIME_MS } from '../../domain/audit/kinds.ts'
import { SCHEDULE } from '../../jobs/schedule.ts'
import { HOUR_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { withOrigin } from '../../kernel/origin.ts'
import { sql } from '../../store/database.ts'
import { recordAudit } from '../../store/workspace/audit.ts'

let owner: Person
const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
  await world.db.query(sql`delete from audit_entry where workspace_id = ${acme.workspaceId}`)
})

const list = (query = '', key = owner.token) => acme.api('GET', `/v1/audit${query}`, undefined, { key })
const kindsOf = async (query = '') => (await list(query)).body.data.map((item: { kind: string }) => item.kind)

test('an entry says who did what to what, when, from where and by which request', async () => {
  const { body: made, headers } = await acme.api(
    'POST',
    '/v1/api-keys',
    { name: 'Robot', scope: 'read' },
    { key: owner.token },
  )
  const { body } = await list()
  expect(body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^aud_/),
        at: world.clock.now().toISOString(),
        kind: 'api_key.created',
        actor: {
          type: 'person',
          id: toId('user', owner.userId),
          name: 'Person who is owner',
          email: owner.email,
          app: { clientId: expect.any(String), name: 'A client' },
        },
        target: { id: made.id, name: 'Robot' },
        data: { scope: 'read', expiresAt: null },
        address: '127.0.0.1',
        requestId: headers.get('x-request-id'),
      },
    ],
    nextCursor: null,
  })
  expect(JSON.stringify(body)).not.toContain(made.key)
})

test('owners who sign in read it, and nobody else', async () => {
  const asked: Record<string, number> = {
    'write key': (await list('', acme.writeKey)).status,
    'read key': (await list('', acme.readKey)).status,
  }
  for (const role of ['owner', 'admin', 'member'] as const)
    asked[role] = (await list('', (await createPerson(world.services, acme.workspaceId, role)).token)).status
  expect(asked).toEqual({ 'write key': 403, 'read key': 403, owner: 200, admin: 403, member: 403 })
})

test('another workspace sees nothing of it, and its entries are none of this one', async () => {
  const other = await world.workspace('Other')
  const stranger = await createPerson(world.services, other.workspaceId, 'owner')
  await acme.group('Mine')
  const { body } = await acme.api('POST', '/v1/api-keys', { name: 'Mine' })
  const theirs = await other.api('GET', '/v1/audit?limit=100', undefined, { key: stranger.token })
  expect(JSON.stringify(theirs.body)).not.toContain(body.id)
  const before = (await list('?limit=100')).body.data.length
  await other.api('POST', '/v1/api-keys', { name: 'Theirs' })
  expect((await list('?limit=100')).body.data).toHaveLength(before)
})

describe('a page', () => {
  test('ends at its limit and goes on at its cursor, the newest first', async () => {
    for (let made = 0; made < 5; made += 1) {
      await world.clock.advance(1000)
      await acme.api('POST', '/v1/api-keys', { name: `Key ${made}` })
    }
    const names: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await list(`?limit=2${cursor}`)
      names.push(...body.data.map((item: { target: { name: string } }) => item.target.name))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(names).toEqual(['Key 4', 'Key 3', 'Key 2', 'Key 1', 'Key 0'])
    expect((await list('?cursor=nonsense')).body.error.code).toBe('invalid_cursor')
  })

  test('holds only the kinds, the actor and the time that are asked for', async () => {
    const { body: key } = await acme.api('POST', '/v1/api-keys', { name: 'First' }, { key: owner.token })
    await world.clock.advance(HOUR_MS)
    const later = world.clock.now().toISOString()
    await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://receiver.example/' }, { key: key.key })
    await withOrigin({ agent: { kind: 'operator' }, address: null, requestId: null }, () =>
      world.db.transaction((tx) =>
        recordAudit(
          tx,
          {
            workspaceId: acme.workspaceId,
            kind: 'billing.credit_granted',
            target: { id: null, name: null },
            data: { amountCents: 5 },
          },
          world.clock.now(),
        ),
      ),
    )
    // The token of an hour is over.
    owner = await createPerson(world.services, acme.workspaceId, 'owner')
    expect(await kindsOf()).toEqual(['billing.credit_granted', 'channel.created', 'api_key.created'])
    expect(await kindsOf('?kind=api_key.created,channel.created')).toEqual(['channel.created', 'api_key.created'])
    expect(await kindsOf('?actor=person')).toEqual(['api_key.created'])
    expect(await kindsOf('?actor=operator')).toEqual(['billing.credit_granted'])
    expect(await kindsOf(`?actor=${key.id}`)).toEqual(['channel.created'])
    expect(await kindsOf(`?actor=${toId('user', owner.userId)}`)).toEqual([])
    expect(await kindsOf(`?since=${later}`)).toEqual(['billing.credit_granted', 'channel.created'])
    expect(await kindsOf(`?until=${later}`)).toEqual(['api_key.created'])
    expect((await list('?actor=nobody')).body.error.code).toBe('validation_error')
  })
})

test('entries are kept for 400 days', async () => {
  const prune = SCHEDULE.find(({ name }) => name === 'prune-audit')!
  await acme.api('POST', '/v1/api-keys', { name: 'Old' })
  await world.clock.advance(HOUR_MS)
  await acme.api('POST', '/v1/api-keys', { name: 'Young' })
  const names = () =>
    world.db.query(sql`select target_name as name from audit_entry where workspace_id = ${acme.workspaceId}`)
  await world.clock.advance(AUDIT_LIFETIME_MS - HOUR_MS)
  await prune.run(world.services)
  expect(await names()).toHaveLength(2)
  await world.clock.advance(1)
  expect(await prune.run(world.services)).toBeGreaterThan(0)
  expect(await names()).toEqual([{ name: 'Young' }])
})
