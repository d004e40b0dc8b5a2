import { beforeEach, expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

let id: string
let count = 0
const world = useWorld(() => ({ mail: { send: async () => ({ outcome: 'sent' }), close: async () => undefined } }))
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await world.clock.advance(2 * DAY_MS)
  count += 1
  id = (await acme.api('POST', '/v1/channels', { kind: 'email', emails: [address()] })).body.id
})

const address = () => `Somebody-${count}@example.com`
const ask = (email: string, channel = id) => acme.api('POST', `/v1/channels/${channel}/confirmations`, { email })
const waiting = async () =>
  (await world.db.query(sql`select 1 from account_mail where created_at >= ${world.clock.now()}`)).length

test('a recipient who has not confirmed is asked again, however the address is written', async () => {
  const { status, body } = await ask(address().toLowerCase())
  expect([status, body.id, body.config.recipients]).toEqual([202, id, [{ email: address(), confirmedAt: null }]])
  expect(await waiting()).toBe(2)
})

test('an address is asked three times a day at most', async () => {
  expect([(await ask(address())).status, (await ask(address())).status]).toEqual([202, 202])
  const { status, body, headers } = await ask(address())
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'confirmation_rate_limited', '86400'])
  expect(await waiting()).toBe(3)
})

test('who has confirmed is not asked', async () => {
  await world.db.query(sql`
    update channel set config =
      ${JSON.stringify({ recipients: [{ email: address(), confirmedAt: world.clock.now().toISOString() }] })}::jsonb
    where workspace_id = ${acme.workspaceId} and id = ${stored('dest', id)}`)
  const { status, body } = await ask(address())
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})

test('an address that bounced is not asked', async () => {
  await world.db.query(
    sql`insert into email_suppression (email, reason, created_at)
        values (${address().toLowerCase()}, 'bounce', ${world.clock.now()})`,
  )
  const { status, body } = await ask(address())
  expect([status, body.error.code]).toEqual([409, 'recipient_suppressed'])
})

test('nobody is asked who is no recipient', async () => {
  for (const email of ['stranger@example.com', 'ä@example.com', 'nonsense']) {
    const { status, body } = await ask(email)
    expect([status, body.error.code, body.error.message.startsWith('email: ')]).toEqual([400, 'validation_error', true])
  }
  expect(await waiting()).toBe(1)
})

test('a channel of another kind has nobody to ask', async () => {
  const webhook = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body
    .id
  expect((await ask(address(), webhook)).body.error.code).toBe('conflict')
})

test('the channel of another workspace is not found', async () => {
  const other = await world.workspace('Other')
  const { status, body } = await other.api('POST', `/v1/channels/${id}/confirmations`, { email: address() })
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
