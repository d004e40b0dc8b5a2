import { expect, test } from 'vitest'
import { useFreshResource } from '../../../test/use-world.ts'
import { sealHeaders } from '../../commands/channels/seal-headers.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { startDelivering } from '../deliveries/delivering.suite.ts'

const here = useFreshResource(startDelivering)

const HEADERS = { authorization: 'Bearer sesame', 'x-a': 'opens' }
const pathOf = (channelId: Uuid) => `/v1/channels/${toId('dest', channelId)}`
const shown = async (channelId: Uuid, key?: string) =>
  (await here.acme.api('GET', pathOf(channelId), undefined, key === undefined ? {} : { key })).body.config.headers
const rows = () => here.world.db.query<{ row: string }>(sql`select c::text as row from channel c order by id`)
const configs = async () =>
  (await here.world.db.query<{ config: object }>(sql`select config from channel order by id`)).map(
    ({ config }) => config,
  )

/** As channels were stored before their headers were sealed. */
const unseal = (channelId: Uuid, headers: object = HEADERS) =>
  here.world.db.query(
    sql`update channel set config = config - 'headersSealed' || ${JSON.stringify({ headers })}::jsonb
        where id = ${channelId}`,
  )

async function expectSealed(): Promise<void> {
  for (const { row } of await rows()) expect(row).not.toMatch(/sesame|opens/)
}

test('no value of a header lies in the database in clear, while channels show and carry them as ever', async () => {
  const { channelId, receiver } = await here.route({ headers: HEADERS })
  await expectSealed()
  expect(await configs()).toMatchObject([
    { headers: ['authorization', 'x-a'], headersSealed: expect.stringMatching(/^v1\./) },
  ])
  expect(JSON.stringify(await shown(channelId))).toBe(JSON.stringify(HEADERS))
  expect(await shown(channelId, here.acme.readKey)).toEqual({ authorization: '(hidden)', 'x-a': '(hidden)' })
  const id = await here.due(channelId)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect(receiver.received[0]!.headers).toMatchObject(HEADERS)
  const change = { headers: { authorization: '(hidden)', 'x-b': 'sesame too' } }
  expect((await here.acme.api('PATCH', pathOf(channelId), change)).body.config.headers).toEqual({
    authorization: 'Bearer sesame',
    'x-b': 'sesame too',
  })
  await expectSealed()
  const next = await here.due(channelId)
  await here.soon(async () => expect(await here.statusOf(next)).toBe('delivered'))
  expect(receiver.received[1]!.headers).toMatchObject({ authorization: 'Bearer sesame', 'x-b': 'sesame too' })
})

test('what was stored in clear before serves as it is, and is sealed with the next change', async () => {
  const { channelId, receiver } = await here.route()
  await unseal(channelId)
  expect(await shown(channelId)).toEqual(HEADERS)
  const id = await here.due(channelId)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect(receiver.received[0]!.headers).toMatchObject(HEADERS)
  expect((await here.acme.api('PATCH', pathOf(channelId), { label: 'New' })).body.config.headers).toEqual(HEADERS)
  await expectSealed()
})

test('a job seals what was stored in clear, and finds nothing afterwards', async () => {
  const [first, second] = [await here.route(), await here.route()]
  await unseal(first.channelId)
  await unseal(second.channelId, {})
  expect(await sealHeaders(here.world.services)).toBe(2)
  await expectSealed()
  expect(await shown(first.channelId)).toEqual(HEADERS)
  expect(await shown(second.channelId)).toEqual({})
  expect(await sealHeaders(here.world.services)).toBe(0)
})

test('headers that cannot be opened are held back, not left out, until they are given again', async () => {
  const [first, second] = [await here.route({ headers: HEADERS }), await here.route({ headers: { 'x-a': 'sesame' } })]
  // Sealed for another channel, they stay closed as with another key.
  await here.world.db.query(sql`
    update channel set config = config || (select o.config - 'url' from channel o where o.id = ${second.channelId})
      where id = ${first.channelId}`)
  const before = (await configs())[0]
  const hidden = { 'x-a': '(hidden)' }
  expect(await shown(first.channelId)).toEqual(hidden)
  const id = await here.due(first.channelId)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('held'))
  expect((await here.acme.api('POST', `${pathOf(first.channelId)}/test`)).body.error).toMatchObject({
    code: 'delivery_key_unavailable',
    message: expect.stringContaining('headers'),
  })
  expect(first.receiver.received).toEqual([])
  expect((await here.acme.api('PATCH', pathOf(first.channelId), { headers: hidden })).body.error.message).toMatch(
    /^headers: .*give all of them again$/,
  )
  expect(
    (await here.acme.api('PATCH', pathOf(first.channelId), { label: 'New', enabled: true })).body.config.headers,
  ).toEqual(hidden)
  expect((await configs())[0]).toEqual(before)
  expect((await here.acme.api('PATCH', pathOf(first.channelId), { headers: HEADERS })).body.config.headers).toEqual(
    HEADERS,
  )
  const next = await here.due(first.channelId)
  await here.soon(async () => expect(await here.statusOf(next)).toBe('delivered'))
  expect(first.receiver.received[0]!.headers).toMatchObject(HEADERS)
})
