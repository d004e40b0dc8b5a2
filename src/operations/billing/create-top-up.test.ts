import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { changeUser } from '../../../test/rows.ts'
import { createStripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { createTopUp } from '../../commands/payments/create-top-up.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { askAsEverybody, billedWorkspace, customerOf, TOP_UP } from './billing.suite.ts'

let acme: TestWorkspace
let ownerEmail: string
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  ;({ acme, ownerEmail } = await billedWorkspace(world))
  stripe.taken.length = stripe.faults.length = 0
})

const topUp = (body: object = TOP_UP, options?: Parameters<TestWorkspace['api']>[3]) =>
  acme.api('POST', '/v1/billing/top-ups', body, options)
const asked = (path: string) => stripe.taken.filter((taken) => taken.path === path)

test('answers a page on which this amount is paid, and the wallet stays as it is', async () => {
  const { status, body } = await topUp()
  expect([status, Object.keys(body)]).toEqual([201, ['url']])
  const session = stripe.objects.get(body.url.split('/').at(-1))!
  expect(session).toMatchObject({ amount_total: 5000, currency: 'usd', client_reference_id: acme.orgId })
  expect((await acme.api('GET', '/v1/usage')).body.balance.cents).toBe(580)
})

test('the owner who has been there for longest is billed, as one customer for all top-ups', async () => {
  await world.clock.advance(MINUTE_MS)
  await createPerson(world.services, acme.workspaceId, 'owner')
  await topUp()
  await topUp({ ...TOP_UP, amountCents: 2000 })
  expect(asked('/v1/customers').map(({ form }) => form['email'])).toEqual([ownerEmail])
  expect(new Set(asked('/v1/checkout/sessions').map(({ form }) => form['customer'])).size).toBe(1)
})

test('the customer has the address that the owner has now', async () => {
  const customer = await customerOf(acme)
  await topUp()
  expect(asked(`/v1/customers/${customer}`)).toEqual([])
  const moved = `moved-${randomUUID()}@people.example`
  await changeUser(world, { email: ownerEmail }, { email: moved })
  stripe.faults.push({ match: `/v1/customers/${customer}`, status: 500 })
  expect((await topUp()).status).toBe(502)
  expect((await topUp()).status).toBe(201)
  expect((await topUp()).status).toBe(201)
  expect(stripe.objects.get(customer)!['email']).toBe(moved)
  expect(asked(`/v1/customers/${customer}`)).toHaveLength(2)
})

test('two first top-ups at once end with one customer', async () => {
  const answers = await Promise.all([topUp(), topUp({ ...TOP_UP, amountCents: 3000 })])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(new Set(asked('/v1/checkout/sessions').map(({ form }) => form['customer'])).size).toBe(1)
})

test('a customer that the provider does not know any more is made anew', async () => {
  const before = await customerOf(acme)
  stripe.objects.delete(before)
  expect((await topUp()).status).toBe(201)
  expect(asked('/v1/checkout/sessions').at(-1)!.form['customer']).not.toBe(before)
})

describe('with a request id', () => {
  test('the same request is answered with the same page for a day, and the provider is not asked again', async () => {
    const requestId = randomUUID()
    const first = await topUp({ ...TOP_UP, requestId })
    const again = await topUp({ ...TOP_UP, requestId })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(asked('/v1/checkout/sessions')).toHaveLength(1)
    await world.clock.advance(DAY_MS)
    expect((await topUp({ ...TOP_UP, requestId, amountCents: 2000 })).status).toBe(201)
  })

  test('another body is refused', async () => {
    const requestId = randomUUID()
    await topUp({ ...TOP_UP, requestId })
    const { status, body } = await topUp({ ...TOP_UP, amountCents: 6000, requestId })
    expect([status, body.error.code]).toEqual([409, 'request_conflict'])
  })

  test('a request whose answer was lost opens one page when it is made again', async () => {
    const requestId = randomUUID()
    stripe.faults.push({ match: '/sessions', dropAnswer: true })
    const lost = await topUp({ ...TOP_UP, requestId })
    expect([lost.status, lost.body.error.code, lost.body.error.retryAfterSeconds]).toEqual([
      502,
      'upstream_unavailable',
      5,
    ])
    expect((await topUp({ ...TOP_UP, requestId })).status).toBe(201)
    const sessions = [...stripe.objects.values()].filter(
      ({ object, client_reference_id }) => object === 'checkout.session' && client_reference_id === acme.orgId,
    )
    expect(sessions).toHaveLength(1)
  })

  test('the same at once in two workspaces are two', async () => {
    const requestId = randomUUID()
    const { acme: other } = await billedWorkspace(world, 'Other')
    const [mine, theirs] = [
      await topUp({ ...TOP_UP, requestId }),
      await other.api('POST', '/v1/billing/top-ups', { ...TOP_UP, requestId }),
    ]
    expect(mine.body.url).not.toBe(theirs.body.url)
  })
})

test('a workspace without an owner has nobody to bill', async () => {
  const alone = await world.workspace('Alone')
  await createPerson(world.services, alone.workspaceId, 'admin')
  const { status, body } = await alone.api('POST', '/v1/billing/top-ups', TOP_UP)
  expect([status, body.error.code]).toEqual([404, 'no_billing_owner'])
  expect(stripe.taken).toEqual([])
})

test.each([[500], [401]])(
  'a provider that answers %i is a provider that did not respond, and nothing is said of why',
  async (status) => {
    stripe.faults.push({ match: '/sessions', status, body: { error: { type: 'api_error', message: 'secret matter' } } })
    const answer = await topUp()
    expect([answer.status, answer.body.error.code]).toEqual([502, 'upstream_unavailable'])
    expect(JSON.stringify(answer.body)).not.toContain('secret matter')
  },
)

test('without a provider, or where nothing is charged, nothing can be topped up', async () => {
  expect(await createTopUp({ ...acme, payments: null }, TOP_UP, null)).toMatchObject({
    code: 'billing_not_configured',
    status: 503,
  })
  expect(await createTopUp({ ...acme, billing: 'unmetered' }, TOP_UP, null)).toMatchObject({
    code: 'billing_not_configured',
  })
})

test('owners, admins and write keys may', async () => {
  expect(await askAsEverybody(world, acme, 'POST', '/v1/billing/top-ups', TOP_UP)).toEqual({
    owner: 201,
    admin: 201,
    member: 403,
    'write key': 201,
    'read key': 403,
  })
})

test.each([
  [{ amountCents: 1999 }, 'amountCents: must be at least 2000'],
  [{ amountCents: 500_001 }, 'amountCents: must be at most 500000'],
  [{ amountCents: 2000.5 }, 'amountCents: '],
  [{ amountCents: '5000' }, 'amountCents: '],
  [{ successUrl: 'javascript:alert(1)' }, 'successUrl: '],
  [{ successUrl: '/relative' }, 'successUrl: '],
  [{ successUrl: `https://a.example/${'x'.repeat(2000)}` }, 'successUrl: '],
  [{ requestId: 'x' }, 'requestId: '],
  [{ currency: 'eur' }, 'currency: is not a field of this operation'],
])('%j is refused by naming the field', async (change, message) => {
  const { status, body } = await topUp({ ...TOP_UP, ...change })
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toContain(message)
})
