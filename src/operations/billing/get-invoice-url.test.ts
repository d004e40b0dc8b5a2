import { beforeEach, expect, test } from 'vitest'
import { createStripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { getInvoiceUrl } from '../../queries/payments/get-invoice-url.ts'
import { askAsEverybody, billedWorkspace, customerOf, putInvoices } from './billing.suite.ts'

let acme: TestWorkspace
let id: string
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  ;({ acme } = await billedWorkspace(world))
  id = putInvoices(stripe, await customerOf(acme), 1)[0]!
  stripe.taken.length = stripe.faults.length = 0
})

const get = (which: string, who = acme) => who.api('GET', `/v1/billing/invoices/${which}/url`)

test('answers the page of the invoice', async () => {
  const { status, body } = await get(id)
  expect([status, body]).toEqual([200, { url: `https://invoice.stripe.example/i/${id}` }])
})

test('an invoice of another workspace is not there, whether or not that one has ever paid', async () => {
  const { acme: other } = await billedWorkspace(world, 'Other')
  expect((await get(id, other)).body.error.code).toBe('not_found')
  await customerOf(other)
  const { status, body } = await get(id, other)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('an invoice that is nobody’s, or not final, is not there', async () => {
  stripe.put({ ...stripe.objects.get(id), id: 'in_nobodys', customer: null })
  stripe.put({ ...stripe.objects.get(id), id: 'in_draft', hosted_invoice_url: null })
  for (const which of ['in_nobodys', 'in_draft', 'in_unknown']) expect((await get(which)).status).toBe(404)
})

test.each(['cus_1', '..%2Fcharges%2Fch_1', 'in_1%2F..%2F..%2Fcharges', '%00', 'in_'])(
  '%s is not even asked for',
  async (which) => {
    expect((await get(which)).status).toBe(404)
    expect(stripe.taken).toEqual([])
  },
)

test('a page that is no https address is not handed on', async () => {
  stripe.put({ ...stripe.objects.get(id), hosted_invoice_url: 'javascript:alert(1)' })
  expect((await get(id)).body.error.code).toBe('upstream_unavailable')
})

test('a provider that does not answer is said to be one', async () => {
  stripe.faults.push({ match: '/invoices', status: 503 })
  const { status, body } = await get(id)
  expect([status, body.error.code]).toEqual([502, 'upstream_unavailable'])
})

test('owners, admins and keys may look', async () => {
  const may = { owner: 200, admin: 200, member: 403, 'write key': 200, 'read key': 200 }
  expect(await askAsEverybody(world, acme, 'GET', `/v1/billing/invoices/${id}/url`)).toEqual(may)
})

test('without a provider there are no invoices', async () => {
  expect(await getInvoiceUrl({ ...acme, payments: null }, id)).toMatchObject({
    code: 'billing_not_configured',
    status: 503,
  })
})
