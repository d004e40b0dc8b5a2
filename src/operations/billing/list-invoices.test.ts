import { beforeEach, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { removeMembership } from '../../../test/rows.ts'
import { createStripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import type { TestWorkspace } from '../../../test/world.ts'
import { forgetPayer } from '../../commands/payments/forget-payer.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { listInvoices } from '../../queries/payments/list-invoices.ts'
import { sql } from '../../store/database.ts'
import { askAsEverybody, billedWorkspace, customerOf, putInvoices } from './billing.suite.ts'

let acme: TestWorkspace
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  ;({ acme } = await billedWorkspace(world))
  stripe.taken.length = stripe.faults.length = 0
})

const list = (search = '') => acme.api('GET', `/v1/billing/invoices${search}`)
const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

test('a workspace that has never paid has none, and the provider is not asked', async () => {
  expect((await list()).body).toEqual({ data: [], nextCursor: null })
  expect(stripe.taken).toEqual([])
})

test('lists those of the workspace, newest first', async () => {
  const ids = putInvoices(stripe, await customerOf(acme), 2)
  const { status, body } = await list()
  expect([status, body]).toEqual([
    200,
    {
      data: [
        { id: ids[0], number: 'ACME-1', status: 'paid', amountCents: 2001, createdAt: '2025-11-20T09:13:21.000Z' },
        { id: ids[1], number: 'ACME-0', status: 'paid', amountCents: 2000, createdAt: '2025-11-20T09:13:20.000Z' },
      ],
      nextCursor: null,
    },
  ])
})

test('is read on with cursors to the end', async () => {
  const ids = putInvoices(stripe, await customerOf(acme), 7)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(`?limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  }
  expect(seen).toEqual(ids)
})

test('those from before an owner left follow on those of the owner who is billed now', async () => {
  const first = putInvoices(stripe, await customerOf(acme), 3)
  const [owner] = await world.db.query<{ user_id: Uuid }>(
    sql`select user_id from membership where workspace_id = ${acme.workspaceId}`,
  )
  await createPerson(world.services, acme.workspaceId, 'owner')
  await world.db.transaction((tx) => forgetPayer(tx, world.services, acme.workspaceId, owner!.user_id))
  await removeMembership(world, { workspaceId: acme.workspaceId, userId: owner!.user_id })
  await world.clock.advance(1)
  const second = putInvoices(stripe, await customerOf(acme), 2)
  for (const limit of [1, 2, 3, 5, 50]) {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([...second, ...first])
  }
  expect((await acme.api('GET', `/v1/billing/invoices/${first[0]}/url`)).status).toBe(200)
})

test('one that cannot be read hides no other', async () => {
  const customer = await customerOf(acme)
  const ids = putInvoices(stripe, customer, 3)
  stripe.put({ ...stripe.objects.get(ids[1]!), status: 'a new status' })
  expect((await list()).body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]])
  const { body } = await list('?limit=2')
  const rest = await list(`?limit=2&cursor=${body.nextCursor}`)
  expect([...body.data, ...rest.body.data].map(({ id }: { id: string }) => id)).toEqual([ids[0], ids[2]])
})

test('a cursor of another workspace, or whose invoice is gone, is not found, and shows nothing', async () => {
  await customerOf(acme)
  const { acme: other } = await billedWorkspace(world, 'Other')
  const [foreign] = putInvoices(stripe, await customerOf(other), 3)
  for (const id of [foreign, 'in_nobody']) {
    const { status, body } = await list(`?cursor=${cursorOf(`invoices ${id}`)}`)
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})

test.each(['nonsense', cursorOf('newest in_1'), cursorOf('invoices ../charges'), cursorOf('invoices in_1 x')])(
  'the cursor %s is invalid',
  async (cursor) => {
    const { status, body } = await list(`?cursor=${cursor}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_cursor'])
  },
)

test.each([[500], [401]])('a provider that answers %i is a provider that did not respond', async (status) => {
  await customerOf(acme)
  stripe.faults.push({ match: '/invoices', status })
  const answer = await list()
  expect([answer.status, answer.body.error.code]).toEqual([502, 'upstream_unavailable'])
})

test('owners, admins and keys may look', async () => {
  const may = { owner: 200, admin: 200, member: 403, 'write key': 200, 'read key': 200 }
  expect(await askAsEverybody(world, acme, 'GET', '/v1/billing/invoices')).toEqual(may)
})

test('without a provider there are no invoices', async () => {
  expect(await listInvoices({ ...acme, payments: null }, { limit: 1 })).toMatchObject({
    code: 'billing_not_configured',
    status: 503,
  })
})
