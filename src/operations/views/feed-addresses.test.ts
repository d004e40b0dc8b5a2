import { beforeEach, describe, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { newSecret } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { callOf, OLDER } from '../../surfaces/mcp/calling.suite.ts'
import { WRONG_LINKS_PER_MINUTE } from '../invoke.ts'

let view: { id: string; feedUrl: string }
const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  view = (await acme.api('POST', '/v1/views', { name: 'Ours' })).body
})

const statusOf = async (url: string) => (await fetch(url.replace('https://earshot.test', world.origin))).status
const feedUrlNow = async () => (await acme.api('GET', `/v1/views/${view.id}`)).body.feedUrl as string
/** An address as it was given out before addresses were derived, of which only the hash is left. */
const addressFromBefore = async () => {
  const { text, hash } = newSecret('efd')
  await world.admin(
    `update saved_view set feed_hash = '\\x${hash.toString('hex')}' where workspace_id = '${acme.workspaceId}'`,
  )
  return view.feedUrl.replace(/efd_.*/, text)
}

describe('the address of a feed', () => {
  test('is shown to who may write, and to nobody who only reads', async () => {
    const shown = async (key: string) =>
      [
        (await acme.api('GET', '/v1/views', undefined, { key })).body.data[0],
        (await acme.api('GET', `/v1/views/${view.id}`, undefined, { key })).body,
      ].map(({ feedUrl }) => feedUrl)
    expect(await shown(acme.writeKey)).toEqual([view.feedUrl, view.feedUrl])
    expect(await shown(acme.readKey)).toEqual([null, null])
    expect(view.feedUrl).toMatch(/\/feed\.xml\?token=efd_[A-Za-z0-9_-]{43}$/)
  })

  test('is not shown to apps, which end without it, nor in tools, where it would stay with a model', async () => {
    const { token } = await createPerson(world.services, acme.workspaceId, 'owner')
    expect((await acme.api('GET', `/v1/views/${view.id}`, undefined, { key: token })).body.feedUrl).toBeNull()
    for (const [name, args] of [
      ['list_views', {}],
      ['get_view', { id: view.id }],
      ['create_view', { name: 'By a model', filter: {} }],
    ] as const) {
      const { body } = await acme.api('POST', '/mcp', callOf(name, args), { headers: OLDER })
      expect([name, body.result.isError ?? false, JSON.stringify(body).includes('efd_')]).toEqual([name, false, false])
    }
  })

  test('lies nowhere in the database', async () => {
    const rows = await world.db.query(sql`select v::text as row from saved_view v`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(new URL(view.feedUrl).searchParams.get('token')!.slice(4))
    expect(await feedUrlNow()).toBe(view.feedUrl)
  })

  test('ends with a key that may write, and goes on without one that only reads', async () => {
    const keyOf = async (scope: string) =>
      (await acme.api('POST', '/v1/api-keys', { name: scope, scope })).body.id as string
    await acme.api('DELETE', `/v1/api-keys/${await keyOf('read')}`)
    expect(await statusOf(view.feedUrl)).toBe(200)
    await acme.api('DELETE', `/v1/api-keys/${await keyOf('write')}`)
    expect([await statusOf(view.feedUrl), await statusOf(await feedUrlNow())]).toEqual([404, 200])
  })

  test('ends when somebody leaves, in that workspace alone', async () => {
    const other = await world.workspace('Other')
    const elsewhere = (await other.api('POST', '/v1/views', { name: 'Theirs' })).body.feedUrl
    const [owner, member] = [
      await createPerson(world.services, acme.workspaceId, 'owner'),
      await createPerson(world.services, acme.workspaceId, 'member'),
    ]
    const { data } = (await acme.api('GET', '/v1/members')).body
    const { id } = data.find((item: { userId: string }) => item.userId === toId('user', member.userId))
    expect((await acme.api('DELETE', `/v1/members/${id}`, undefined, { key: owner.token })).status).toBe(204)
    expect([await statusOf(view.feedUrl), await statusOf(await feedUrlNow()), await statusOf(elsewhere)]).toEqual([
      404, 200, 200,
    ])
  })
})

describe('an address from before they were derived', () => {
  test('goes on working beside the new one, and names itself in the feed, until the address is renewed', async () => {
    const before = await addressFromBefore()
    expect([await statusOf(before), await statusOf(view.feedUrl)]).toEqual([200, 200])
    const text = await (await fetch(before.replace('https://earshot.test', world.origin))).text()
    expect(text).toContain(new URL(before).searchParams.get('token')!)
    await acme.api('POST', `/v1/views/${view.id}/rotate-feed-token`)
    expect(await statusOf(before)).toBe(404)
  })

  test('ends with a key that only reads, which was shown it too', async () => {
    const before = await addressFromBefore()
    const { id } = (await acme.api('POST', '/v1/api-keys', { name: 'Reader', scope: 'read' })).body
    await acme.api('DELETE', `/v1/api-keys/${id}`)
    expect([await statusOf(before), await statusOf(view.feedUrl)]).toEqual([404, 200])
  })
})

test('so many wrong addresses a minute are looked up for a network, whatever they name, and right ones count for nothing', async () => {
  for (let at = 0; at < 20; at += 1) expect(await statusOf(view.feedUrl)).toBe(200)
  const { text } = newSecret('efd')
  const guess = (at: number) =>
    statusOf(`${world.origin}/v1/views/vw_${String(at).padStart(26, '0')}/feed.xml?token=${text}`)
  for (let at = 0; at < WRONG_LINKS_PER_MINUTE; at += 1) expect(await guess(at)).toBe(404)
  expect([await guess(1000), await statusOf(view.feedUrl)]).toEqual([429, 429])
  await world.clock.advance(MINUTE_MS)
  expect(await statusOf(view.feedUrl)).toBe(200)
})
