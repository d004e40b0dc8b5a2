import { describe, expect, test } from 'vitest'
import { placed, ready, scriptedSources } from '../../../test/stand-ins/sources.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'

let faults: Error[] = []
const feeds = placed('feeds', {
  async find(_, address) {
    const fault = faults.shift()
    if (fault) throw fault
    return { address: address.replace('http:', 'https:'), title: 'A feed' }
  },
})
const world = useWorld(() => ({ sources: scriptedSources(ready(feeds), ready(placed('discourse'))) }))
const acme = useWorkspace(world, 'Acme')
const name = (address: string, platform = 'feeds') => acme.api('POST', '/v1/named-sources', { platform, address })

describe('a feed or forum that a workspace names', () => {
  test('is answered whole and listed, and goes again', async () => {
    const { status, body } = await name('blog.example/feed')
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^src_[0-9a-z]{26}$/),
        platform: 'feeds',
        address: 'https://blog.example/feed',
        title: 'A feed',
        status: 'waiting',
        lastReadAt: null,
        lastPostAt: null,
        nextReadAt: world.clock.now().toISOString(),
        lastError: null,
        createdAt: world.clock.now().toISOString(),
      },
    ])
    expect((await acme.api('GET', '/v1/named-sources')).body.data).toEqual([body])
    expect((await acme.api('DELETE', `/v1/named-sources/${body.id}`)).status).toBe(204)
    expect((await acme.api('DELETE', `/v1/named-sources/${body.id}`)).status).toBe(404)
    expect((await acme.api('GET', '/v1/named-sources')).body.data).toEqual([])
  })

  test('is one row for all workspaces, and each sees its own part of the past', async () => {
    const bravo = await world.workspace('Bravo')
    await name('https://shared.example/feed')
    const dueAt = plus(world.clock.now(), DAY_MS)
    await world.db.query(sql`update place set last_polled_at = ${world.clock.now()}, last_success_at = ${world.clock.now()},
      last_found_at = ${world.clock.now()}, due_at = ${dueAt} where address = 'https://shared.example/feed'`)
    await world.clock.advance(1000)
    const input = { platform: 'feeds', address: 'https://shared.example/feed' }
    const { body } = await bravo.api('POST', '/v1/named-sources', input)
    const nextReadAt = world.clock.now().toISOString()
    expect(body).toMatchObject({ status: 'waiting', lastReadAt: null, lastPostAt: null, nextReadAt })
    const rows = await world.db.query(sql`select from place where address = 'https://shared.example/feed'`)
    expect(rows).toHaveLength(1)
    const [own] = (await acme.api('GET', '/v1/named-sources')).body.data
    expect(own).toMatchObject({ status: 'ready', lastReadAt: expect.any(String) })
  })

  test('is refused when it is named already', async () => {
    const first = await name('https://twice.example/feed')
    await world.clock.advance(1000)
    const { status, body } = await name('https://twice.example/feed')
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    const listed: { nextReadAt: string }[] = (await acme.api('GET', '/v1/named-sources')).body.data
    expect(listed.at(-1)!.nextReadAt).toBe(first.body.nextReadAt)
  })
})

describe('an address', () => {
  test.each([
    ['https://127.0.0.1/feed', 'address: must lead to a public address'],
    ['http://blog.example/feed', 'address: must be an https URL'],
    ['https://localhost/feed', 'address: must name a public host'],
    ['https://user:pass@blog.example/feed', 'address: must not hold a user name or password'],
    ['ftp://blog.example/feed', 'address: must be an https URL'],
  ])('such as %s is refused before anything is asked', async (address, message) => {
    const { status, body } = await name(address)
    expect([status, body.error.message]).toEqual([400, message])
  })

  test.each([
    [new SourceFault('gone', 'There is no feed at this address.'), 'address: there is no feed at this address'],
    [new SourceFault('unavailable', 'connect ECONNREFUSED 10.0.0.7:443'), 'address: could not be reached; try again'],
    [new SourceFault('throttled', 'slow down'), 'address: asks its readers to wait; try again later'],
    [new SourceFault('shape_changed', 'x'), 'address: leads to something that cannot be read'],
  ])('that fails with %s is refused without the details of the network', async (fault, message) => {
    faults = [fault]
    const { status, body } = await name('https://faulty.example/feed')
    expect([status, body.error.message]).toEqual([400, message])
  })
})

test('a platform that is not collected, or has no places, is refused', async () => {
  expect((await name('https://x.example', 'bluesky')).status).toBe(400)
})

test('reading is for all, naming for who may write', async () => {
  const read = { key: acme.readKey }
  expect((await acme.api('GET', '/v1/named-sources', undefined, read)).status).toBe(200)
  const input = { platform: 'feeds', address: 'https://blog.example' }
  expect((await acme.api('POST', '/v1/named-sources', input, read)).status).toBe(403)
})

test('a workspace names at most a hundred', async () => {
  const full = await world.workspace('Full')
  await world.db.query(sql`
    with places as (insert into place (id, platform, address, host, by_operator, named_at, due_at)
      select gen_random_uuid(), 16, 'https://n.example/' || n, 'n.example', false, now(), now()
      from generate_series(1, 100) as n returning id)
    insert into workspace_place (workspace_id, id, place_id, created_at)
    select ${full.workspaceId}, gen_random_uuid(), id, now() from places`)
  const { status, body } = await full.api('POST', '/v1/named-sources', {
    platform: 'feeds',
    address: 'https://one-more.example/feed',
  })
  expect([status, body.error.message]).toEqual([409, 'A workspace has at most 100 feeds and forums'])
})
