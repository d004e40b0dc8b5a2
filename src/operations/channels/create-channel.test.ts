import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { ACCOUNT_EVENTS } from '../../domain/attention/account-events.ts'
import { lockChannel, secretBinding } from '../../store/channel/channels.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('a new webhook channel is answered whole, with the secret that is shown this once', async () => {
  const { status, body } = await acme.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://Hooks.Example.com/in?x=1#part',
    label: '  Our  inbox ',
    headers: { 'X-Team': 'blue' },
    events: ['wallet.low', 'wallet.low'],
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^dest_[0-9a-z]{26}$/),
    label: 'Our inbox',
    kind: 'webhook',
    enabled: true,
    createdAt: world.clock.now().toISOString(),
    stats: { alerts: 0, activeAlerts: 0, lastDeliveryAt: null, last7d: { total: 0, failed: 0 } },
    config: {
      url: 'https://hooks.example.com/in?x=1',
      headers: { 'x-team': 'blue' },
      events: ['wallet.low'],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  })
  const shown = (await acme.api('GET', `/v1/channels/${body.id}`)).body
  const { secret: _, ...config } = body.config
  expect(shown).toEqual({ ...body, config })
})

test('without a label the host is the label', async () => {
  const { body } = await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com:8443/in' })
  expect(body.label).toBe('hooks.example.com:8443')
  expect(body.config).toMatchObject({ headers: {}, events: [] })
})

test('a channel may take every account event', async () => {
  const { body } = await acme.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://hooks.example.com/',
    events: ACCOUNT_EVENTS,
  })
  expect(body.config.events).toEqual(ACCOUNT_EVENTS)
})

test('the secret is stored sealed, and opens for its own channel only', async () => {
  const { body } = await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })
  const id = stored('dest', body.id)
  const kept = await acme.db.transaction((tx) => lockChannel(tx, acme.workspaceId, id))
  expect(JSON.stringify(kept)).not.toContain(body.config.secret)
  expect(acme.sealer.open(kept!.secretSealed!, secretBinding(acme.workspaceId, id))).toBe(body.config.secret)
  expect(acme.sealer.open(kept!.secretSealed!, secretBinding(id, acme.workspaceId))).toBeNull()
})

test.each([
  ['slack', { kind: 'slack', channelId: 'C1', channelName: 'general' }],
  ['telegram', { kind: 'telegram', events: ['mention.spike'] }],
  ['email', { kind: 'email', emails: ['team@example.com'] }],
])('%s is not set up on this installation, and the answer says so', async (kind, input) => {
  const { status, body } = await acme.api('POST', '/v1/channels', input)
  expect([status, body.error.code]).toEqual([503, `${kind}_not_configured`])
})

const url = 'https://hooks.example.com/in'
test.each([
  [{}, 'kind: is required'],
  [{ kind: 'fax' }, 'kind: must be one of webhook, slack, telegram, email'],
  [{ kind: 'webhook' }, 'url: is required'],
  [{ kind: 'webhook', url: 'http://hooks.example.com/' }, /^url: /],
  [{ kind: 'webhook', url: 'https://10.0.0.1/' }, /^url: /],
  [{ kind: 'webhook', url: 'nonsense' }, /^url: /],
  [{ kind: 'webhook', url, label: ' ' }, 'label: must not be empty'],
  [{ kind: 'webhook', url, label: 'x'.repeat(101) }, 'label: must have at most 100 characters'],
  [{ kind: 'webhook', url, headers: { 'X-Mentions-Signature': '1' } }, /^headers\.x-mentions-signature: /],
  [{ kind: 'webhook', url, headers: { 'Content-Type': 'text/plain' } }, /^headers\.content-type: /],
  [{ kind: 'webhook', url, headers: { 'a b': '1' } }, /^headers\.a b: /],
  [{ kind: 'webhook', url, headers: { a: 'ü' } }, /^headers\.a: /],
  [{ kind: 'webhook', url, headers: { a: 'x'.repeat(1025) } }, /^headers\.a: /],
  [
    { kind: 'webhook', url, headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`h${at}`, '1'])) },
    'headers: must have at most 20 entries',
  ],
  [{ kind: 'webhook', url, headers: JSON.parse('{"__proto__":"1"}') }, /^headers\.__proto__: /],
  [
    JSON.parse('{"kind":"webhook","url":"https://hooks.example.com/","__proto__":{"label":"x"}}'),
    '__proto__: is not a field of this operation',
  ],
  [{ kind: 'webhook', url, events: ['test'] }, /^events\.0: must be one of keyword\.capped, /],
  [{ kind: 'webhook', url, secret: 'mine' }, 'secret: is not a field of this operation'],
  [{ kind: 'telegram', events: ['wallet.low'] }, /^events\.0: must be one of mention\.spike, /],
  [{ kind: 'slack', channelId: 'C1' }, 'channelName: is required'],
  [{ kind: 'email', emails: [] }, 'emails: must not be empty'],
])('%j is refused by naming the field', async (input, message) => {
  const { status, body } = await acme.api('POST', '/v1/channels', input)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toMatch(message)
})
