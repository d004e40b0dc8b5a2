import { beforeEach, expect, test } from 'vitest'
import { createStripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { updateAutoRecharge } from '../../commands/payments/update-auto-recharge.ts'
import { askAsEverybody, billedWorkspace } from './billing.suite.ts'

let acme: TestWorkspace
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  ;({ acme } = await billedWorkspace(world))
})

const change = (body: object) => acme.api('PATCH', '/v1/billing/auto-recharge', body)
const BEGINNING = {
  available: false,
  enabled: false,
  thresholdCents: 1000,
  amountCents: 5000,
  lastRunAt: null,
  lastError: null,
}

test('begins turned off, and a change of nothing leaves it so', async () => {
  expect((await acme.api('GET', '/v1/billing/wallet')).body.autoRecharge).toEqual(BEGINNING)
  expect([(await change({})).status, (await change({})).body]).toEqual([200, BEGINNING])
})

test('what is not given stays, and the wallet shows the same', async () => {
  expect((await change({ enabled: true })).body).toEqual({ ...BEGINNING, enabled: true })
  expect((await change({ thresholdCents: 2500 })).body).toEqual({ ...BEGINNING, enabled: true, thresholdCents: 2500 })
  const { body } = await change({ amountCents: 20_000, enabled: false })
  expect(body).toEqual({ ...BEGINNING, thresholdCents: 2500, amountCents: 20_000 })
  expect((await acme.api('GET', '/v1/billing/wallet')).body.autoRecharge).toEqual(body)
})

test('changes at once are both kept', async () => {
  await Promise.all([change({ thresholdCents: 2500 }), change({ amountCents: 20_000 })])
  expect((await change({})).body).toEqual({ ...BEGINNING, thresholdCents: 2500, amountCents: 20_000 })
})

test('is of one workspace alone', async () => {
  const { acme: other } = await billedWorkspace(world, 'Other')
  await change({ enabled: true })
  expect((await other.api('GET', '/v1/billing/wallet')).body.autoRecharge).toEqual(BEGINNING)
})

test('owners, admins and write keys may', async () => {
  expect(await askAsEverybody(world, acme, 'PATCH', '/v1/billing/auto-recharge', { enabled: true })).toEqual({
    owner: 200,
    admin: 200,
    member: 403,
    'write key': 200,
    'read key': 403,
  })
})

test('without a provider, or where nothing is charged, there is none', async () => {
  expect(await updateAutoRecharge({ ...acme, payments: null }, {})).toMatchObject({
    code: 'billing_not_configured',
    status: 503,
  })
  expect(await updateAutoRecharge({ ...acme, billing: 'unmetered' }, {})).toMatchObject({
    code: 'billing_not_configured',
  })
})

test.each([
  [{ thresholdCents: 99 }, 'thresholdCents: must be at least 100'],
  [{ thresholdCents: 500_001 }, 'thresholdCents: must be at most 500000'],
  [{ amountCents: 1999 }, 'amountCents: must be at least 2000'],
  [{ amountCents: null }, 'amountCents: '],
  [{ enabled: 'yes' }, 'enabled: '],
  [{ available: true }, 'available: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await change(body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
  expect(answer.body.error.message).toContain(message)
})
