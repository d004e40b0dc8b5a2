import { beforeAll, expect, test } from 'vitest'
import { useResource } from '../../test/use-world.ts'
import { toId } from '../kernel/ids.ts'
import type { Caller } from './definition.ts'
import { startDelivering } from './deliveries/delivering.suite.ts'
import { channelFor, deliveryFor } from './without-credentials.ts'

let id: string
const here = useResource(startDelivering)
beforeAll(async () => {
  const { channelId } = await here.route({ headers: { Authorization: 'Bearer of the receiver', 'X-Team': 'blue' } })
  id = toId('dest', channelId)
})

const read = (path: string) => here.acme.api('GET', path, undefined, { key: here.acme.readKey })
const REAL = { authorization: 'Bearer of the receiver', 'x-team': 'blue' }
const HIDDEN = { authorization: '(hidden)', 'x-team': '(hidden)' }
const model = { caller: { scope: 'write' } as Caller, forModel: true }

test('the values of own headers are seen by who may write, and by nobody else nor by a model', async () => {
  const path = `/v1/channels/${id}`
  const shown = (await here.acme.api('GET', path)).body
  expect(shown.config.headers).toEqual(REAL)
  expect((await here.acme.api('GET', '/v1/channels')).body.data[0].config.headers).toEqual(REAL)
  expect((await read(path)).body.config).toEqual({ ...shown.config, headers: HIDDEN })
  expect((await read('/v1/channels')).body.data[0].config.headers).toEqual(HIDDEN)
  expect(channelFor(model, { ...shown, config: { ...shown.config, secret: 'whsec_x' } })).toEqual({
    ...shown,
    config: { ...shown.config, headers: HIDDEN },
  })
  expect(channelFor({ ...model, forModel: false }, shown)).toBe(shown)
})

test('what was shown hidden and is sent back stays what it is, and a name that is new is told so', async () => {
  const path = `/v1/channels/${id}`
  const { status, body } = await here.acme.api('PATCH', path, {
    headers: { Authorization: '(hidden)', 'X-Team': 'red' },
  })
  expect([status, body.config.headers]).toEqual([200, { authorization: 'Bearer of the receiver', 'x-team': 'red' }])
  const unknown = await here.acme.api('PATCH', path, { headers: { 'X-Other': '(hidden)' } })
  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'validation_error'])
  expect(unknown.body.error.message).toMatch(/^headers\.X-Other: /)
  await here.acme.api('PATCH', path, { headers: { Authorization: 'Bearer of the receiver', 'X-Team': 'blue' } })
})

test('the signatures of what was sent are seen by who may write, and by nobody else nor by a model', async () => {
  const deliveryId = await here.due((await here.route()).channelId)
  const { stop } = here.run()
  await here.soon(async () => expect(await here.statusOf(deliveryId)).toBe('delivered'))
  await stop()
  const path = `/v1/deliveries/${deliveryId}`
  const signed = ['X-Mentions-Signature', 'X-Mentions-Signature-V2', 'webhook-signature']
  const headersOf = (detail: { attemptLog: { request: { headers: Record<string, string> } | null }[] }) =>
    detail.attemptLog[0]!.request!.headers
  const whole = headersOf((await here.acme.api('GET', path)).body)
  for (const name of signed) expect(whole[name]).not.toBe('(hidden)')
  const hidden = headersOf((await read(path)).body)
  expect(hidden).toEqual({ ...whole, ...Object.fromEntries(signed.map((name) => [name, '(hidden)'])) })
  expect(headersOf(deliveryFor(model, (await here.acme.api('GET', path)).body))).toEqual(hidden)
})
