import { request } from 'undici'
import { describe, expect, test, vi } from 'vitest'
import { openEventStream } from '../../../test/event-stream.ts'
import { until } from '../../../test/until.ts'
import { useResource } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { HEARTBEAT_MS } from '../../operations/live-stream.ts'
import { sql } from '../../store/database.ts'
import { CELL_PATHS } from '../cells/contract.ts'
import { DOOR_HEADER, signCall } from '../cells/signature.ts'
import { callOf, OLDER } from '../mcp/calling.suite.ts'
import { CELLS_SECRET, createBuilding } from './building.suite.ts'

const building = useResource(() => createBuilding(2))

describe('a request with a key', () => {
  test('is answered by the cell of the key', async () => {
    for (const { writeKey, readKey, orgId } of building.workspaces)
      for (const key of [writeKey, readKey])
        expect(await (await building.withKey(key)).json()).toMatchObject({ workspace: { id: orgId } })
  })

  test('is remembered', async () => {
    const { text } = newSecret('ref')
    await building.withKey(building.workspaces[1]!.writeKey)
    const remembered = async () => await building.metrics.registry.getSingleMetricAsString('earshot_door_lookups_total')
    const before = await remembered()
    await building.withKey(building.workspaces[1]!.writeKey)
    expect(countIn(await remembered(), 'remembered')).toBe(countIn(before, 'remembered') + 1)
    expect(countIn(await remembered(), 'found')).toBe(countIn(before, 'found'))
    expect((await building.withKey(text)).status).toBe(401)
  })

  test.each([['ref_wrong'], [newSecret('ref').text], ['']])('%j is refused when no cell has it', async (key) => {
    expect((await building.withKey(key)).status).toBe(401)
  })

  test('changes what is in its cell', async () => {
    const made = await building.ask('/v1/groups', {
      method: 'POST',
      headers: { authorization: `Bearer ${building.workspaces[1]!.writeKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Made through the door' }),
    })
    expect(made.status).toBe(201)
    const { data } = (await (await building.withKey(building.workspaces[1]!.readKey, '/v1/groups')).json()) as {
      data: { name: string }[]
    }
    expect(data.map(({ name }) => name)).toContain('Made through the door')
  })

  test('calls tools', async () => {
    for (const { writeKey, orgId } of building.workspaces) {
      // The tool server is reached under its public name only, which fetch cannot say.
      const reply = await request(`${building.origin}/mcp`, {
        method: 'POST',
        headers: {
          ...OLDER,
          host: 'earshot.test',
          authorization: `Bearer ${writeKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(callOf('get_identity')),
      })
      expect([reply.statusCode, await reply.body.text()]).toEqual([200, expect.stringContaining(orgId)])
    }
  })

  test('is counted by the address of the caller, not of the door', async () => {
    const told = () =>
      building.rooms[1]!.world.db.query<{ address: string }>(
        sql`select address from audit_entry order by at desc limit 1`,
      )
    await building.ask('/v1/api-keys', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${building.workspaces[1]!.writeKey}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
      },
      body: JSON.stringify({ name: 'From here', scope: 'read' }),
    })
    expect(await told()).toEqual([{ address: '127.0.0.1' }])
  })
})

describe('an event stream', () => {
  test('comes as it happens, and ends with the connection', async () => {
    const { world } = building.rooms[1]!
    const stream = await openEventStream(`${building.origin}/v1/events/stream`, {
      authorization: `Bearer ${building.workspaces[1]!.readKey}`,
    })
    const begun = stream.text().length
    // Clocks of door and cells stay together, because a signature lasts a minute.
    const others = [building.clock, building.rooms[0]!.world.clock]
    await vi.waitFor(
      async () => {
        await Promise.all([world.clock.advance(HEARTBEAT_MS), ...others.map((clock) => clock.advance(HEARTBEAT_MS))])
        if (stream.text().length === begun) throw new Error('nothing came')
      },
      { timeout: 10_000, interval: 10 },
    )
    stream.leave()
    await until(() => stream.ended())
  })
})

describe('addresses of cells', () => {
  const call = (origin: string, path: string, body: string, headers: Record<string, string>) =>
    fetch(origin + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
  const body = JSON.stringify({ marks: [] })
  const signed = (secret = CELLS_SECRET, more: Partial<{ path: string; body: string; at: Date }> = {}) => ({
    [DOOR_HEADER]: signCall({ secret, path: CELL_PATHS.find, body, at: building.clock.now(), ...more }),
  })

  test('answer the door', async () => {
    const reply = await call(building.rooms[0]!.origin, CELL_PATHS.find, body, signed())
    expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining({ found: [] })])
  })

  test('do not exist for a request that is not signed so', async () => {
    const { origin } = building.rooms[0]!
    const later = new Date(building.clock.now().getTime() + 61 * SECOND_MS)
    for (const headers of [
      {},
      { [DOOR_HEADER]: 'signed' },
      signed('another secret of at least 32 characters'),
      signed(CELLS_SECRET, { path: CELL_PATHS.client }),
      signed(CELLS_SECRET, { body: JSON.stringify({ marks: [{ kind: 'client', text: 'x' }] }) }),
      signed(CELLS_SECRET, { at: later }),
      { ...signed(), 'x-forwarded-for': '203.0.113.9' },
    ])
      expect((await call(origin, CELL_PATHS.find, body, headers as Record<string, string>)).status).toBe(404)
    expect((await fetch(origin + CELL_PATHS.find)).status).toBe(404)
  })

  test.each(['/internal/cells/find', '//internal/cells/find', '/%69nternal/cells/find', '/Internal/cells'])(
    'are not reached through the door by %s',
    async (path) => {
      const reply = await call(building.origin, path, body, {})
      expect([reply.status, await reply.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
    },
  )

  test('and a client with the header of the door is refused everywhere', async () => {
    for (const path of ['/v1/whoami', '/internal/cells/find', '/sign-in']) {
      const reply = await call(building.origin, path, body, signed())
      expect([400, 404]).toContain(reply.status)
    }
    const reply = await building.ask('/v1/whoami', { headers: { [DOOR_HEADER]: 'x' } })
    expect(await reply.json()).toMatchObject({ error: { code: 'validation_error' } })
  })
})

function countIn(text: string, finding: string): number {
  return Number(new RegExp(`finding="${finding}"} (\\d+)`).exec(text)?.[1] ?? 0)
}
