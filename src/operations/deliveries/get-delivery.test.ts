import { expect, test } from 'vitest'
import { useFreshResource } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import { createSealer } from '../../kernel/sealing.ts'
import { sql } from '../../store/database.ts'
import { startDelivering } from './delivering.suite.ts'

const here = useFreshResource(startDelivering)

const get = (id: string, query = '') =>
  here.acme.api('GET', `/v1/deliveries/${encodeURIComponent(id)}${query}`, undefined, { key: here.acme.readKey })

test('every attempt is told: what was sent, byte for byte, and what came back', async () => {
  const { channelId, receiver } = await here.route({ headers: { 'X-Token': 'sesame' } })
  receiver.play({ kind: 'answers', status: 503, body: `busy \u0000\u0007${'é'.repeat(2000)}` })
  const id = await here.due(channelId, { text: 'a line\nfeed, "quotes", a \\ and 東京 👋' })
  here.run()
  await here.soon(async () => expect(await here.rowOf(id)).toEqual({ status: 'pending', attempts: 1 }))
  receiver.play({ kind: 'accepts' })
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'), 1000)
  const { status, body } = await here.acme.api('GET', `/v1/deliveries/${id}`)
  expect(status).toBe(200)
  const finished = { id, kind: 'event', attempts: 2, error: null, nextAttemptAt: null }
  expect(body).toMatchObject({ ...finished, channelId: toId('dest', channelId) })
  const [first, second] = body.attemptLog
  expect(first).toMatchObject({
    number: 1,
    outcome: 'temporary_failure',
    error: 'status 503',
    response: { status: 503 },
  })
  expect(second).toMatchObject({ number: 2, outcome: 'delivered', error: null, response: { status: 200, body: 'ok' } })
  expect(first.response.body).toMatch(/^busy é+\ufffd?$/)
  expect(Buffer.byteLength(first.response.body)).toBeLessThanOrEqual(2048)
  for (const [at, attempt] of body.attemptLog.entries()) {
    const { headers, body: sent } = receiver.received[at]!
    expect(attempt.request.body).toBe(sent.toString())
    expect(attempt.request.headers['X-Mentions-Signature-V2']).toBe(headers['x-mentions-signature-v2'])
    expect(Math.floor(Date.parse(attempt.at) / 1000)).toBe(Number(headers['x-mentions-timestamp']))
    expect([headers['x-token'], attempt.request.headers['x-token']]).toEqual(['sesame', '(hidden)'])
  }
  expect(JSON.stringify(body)).not.toContain('sesame')
})

test('what was held or waits has no attempt, and what never got an answer has no response', async () => {
  const [held, hanging] = [await here.route(), await here.route()]
  const [kept, silent] = [await here.due(held.channelId), await here.due(hanging.channelId)]
  expect((await get(kept)).body).toMatchObject({
    status: 'pending',
    nextAttemptAt: expect.stringMatching(/^\d{4}-/),
    attemptLog: [],
  })
  hanging.receiver.play({ kind: 'closes' })
  const { secretSealed } = (
    await here.world.db.query<{ secretSealed: string }>(
      sql`select secret_sealed as "secretSealed" from channel where id = ${held.channelId}`,
    )
  )[0]!
  const { sealer } = here.world.services
  const open = (text: string, binding: string) => (text === secretSealed ? null : sealer.open(text, binding))
  here.run({ sealer: { ...createSealer('00'.repeat(32)), open } })
  await here.soon(async () =>
    expect((await get(kept)).body).toMatchObject({ status: 'held', attempts: 0, attemptLog: [] }),
  )
  await here.soon(async () =>
    expect((await get(silent)).body.attemptLog[0]).toMatchObject({
      outcome: 'temporary_failure',
      error: 'the connection was closed without a reply',
      response: null,
      request: { body: expect.stringContaining('wallet.low') },
    }),
  )
})

test('a digest is found under its rule and period in each log, and under the id that its envelope carries', async () => {
  const [first, second] = [await here.route(), await here.route()]
  const alertId = stored('feed', (await here.acme.makeOne('feed'))!)
  const daily = await here.digest(first.channelId, { alertId, period: '2026-11-22' })
  await here.world.clock.advance(5)
  const other = await here.digest(second.channelId, { alertId, period: '2026-11-22', status: 'delivered', error: null })
  const hourly = await here.digest(first.channelId, { alertId, period: 'h:2026-11-22T05', mode: 'hourly' })
  const name = `${toId('feed', alertId)}:2026-11-22`
  expect((await get(name)).body).toMatchObject({
    id: name,
    kind: 'digest',
    channelId: toId('dest', first.channelId),
    status: 'failed',
  })
  expect((await get(name, `?channelId=${toId('dest', second.channelId)}`)).body).toMatchObject({
    id: name,
    status: 'delivered',
  })
  expect((await get(toId('dlv', other))).body).toMatchObject({ id: name, channelId: toId('dest', second.channelId) })
  const log = (await here.acme.api('GET', `/v1/channels/${toId('dest', first.channelId)}/deliveries?limit=1`)).body
  expect(log.data.map(({ id }: { id: string }) => id)).toEqual([`${toId('feed', alertId)}:h:2026-11-22T05`])
  const next = (
    await here.acme.api(
      'GET',
      `/v1/channels/${toId('dest', first.channelId)}/deliveries?limit=1&cursor=${log.nextCursor}`,
    )
  ).body
  expect(next.data.map(({ id }: { id: string }) => id)).toEqual([name])
  expect([(await get(toId('dlv', daily))).status, (await get(toId('dlv', hourly))).status]).toEqual([200, 200])
  const away = await here.acme.makeOne('dest')
  for (const query of [`?channelId=${away}`, `?channelId=${toId('dest', newUuid(here.world.clock.now()))}`])
    expect((await get(name, query)).status).toBe(404)
  const stranger = await here.world.workspace('Other')
  expect((await stranger.api('GET', `/v1/deliveries/${encodeURIComponent(name)}`)).status).toBe(404)
})

test('attempts go with their delivery, and with the channel', async () => {
  const { channelId } = await here.route()
  const id = await here.due(channelId)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect((await here.acme.api('DELETE', `/v1/channels/${toId('dest', channelId)}`)).status).toBe(204)
  expect((await get(id)).status).toBe(404)
})
