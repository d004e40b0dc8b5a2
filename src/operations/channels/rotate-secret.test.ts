import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeMailChannel } from '../../../test/mail-channel.ts'
import { createReceiver } from '../../../test/receiver.ts'
import { useResource, useWorkspace, useWorld } from '../../../test/use-world.ts'
import { toId } from '../../kernel/ids.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
const receiver = useResource(createReceiver)

test('the new secret is shown once and signs from then on, and the old one never again', async () => {
  const created = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: receiver.url })).body
  const { status, body } = await acme.api('POST', `/v1/channels/${created.id}/rotate-secret`)
  expect(status).toBe(200)
  expect(body.config.secret).toMatch(/^whsec_/)
  expect(body.config.secret).not.toBe(created.config.secret)
  expect({ ...body, config: { ...body.config, secret: created.config.secret } }).toEqual(created)
  expect((await acme.api('GET', `/v1/channels/${created.id}`)).body.config).not.toHaveProperty('secret')
  await acme.api('POST', `/v1/channels/${created.id}/test`)
  const { raw, headers } = receiver.requests.at(-1)!
  const signature = (secret: string) => createHmac('sha256', secret).update(raw).digest('hex')
  expect(headers['x-mentions-signature']).toBe(signature(body.config.secret))
  expect(headers['x-mentions-signature']).not.toBe(signature(created.config.secret))
})

test('the secret of another workspace cannot be replaced', async () => {
  const other = await world.workspace('Other')
  const created = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: receiver.url })).body
  const { status, body } = await other.api('POST', `/v1/channels/${created.id}/rotate-secret`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('only webhooks have a secret to replace, and the others say so', async () => {
  const { status, body } = await acme.api(
    'POST',
    `/v1/channels/${toId('dest', await makeMailChannel(acme))}/rotate-secret`,
  )
  expect([status, body.error.code]).toEqual([409, 'conflict'])
  expect(body.error.message).toContain('Only webhook channels have a secret')
})
