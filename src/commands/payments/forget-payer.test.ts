import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createPerson, type Person } from '../../../test/people.ts'
import { empty } from '../../../test/rows.ts'
import { createStripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { boundTo, type QueuedMail } from '../mail/queue-mail.ts'
import { removeMember } from '../members/remove-member.ts'
import { updateMember } from '../members/update-member.ts'
import { runAutoRecharges } from './auto-recharge.ts'
import { balanceOf, leave, ledgerOf, type Payer, payer, payOnPage, tell, topUp } from './payments.suite.ts'

let acme: Payer
/** Another owner, who came later and stays. */
let other: Person
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeAll(() => {
  world.services.mail = { send: async () => ({ outcome: 'sent' }), close: async () => undefined }
})
beforeEach(async () => {
  await empty(world, 'billing_profile', 'account_mail')
  acme = await payer(world)
  await world.clock.advance(MINUTE_MS)
  other = await createPerson(world.services, acme.acme.workspaceId, 'owner')
  stripe.taken.length = stripe.faults.length = 0
})

const charges = () => stripe.taken.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
const shown = async () => (await acme.acme.api('GET', '/v1/billing/wallet')).body.autoRecharge
const choose = (change: object) => acme.acme.api('PATCH', '/v1/billing/auto-recharge', change)
const run = () => runAutoRecharges(world.services)

async function mails(): Promise<QueuedMail[]> {
  const rows = await world.db.query<{ id: Uuid; sealed: string }>(sql`select id, sealed from account_mail`)
  return rows.map(({ id, sealed }) => JSON.parse(world.services.sealer.open(sealed, boundTo(id))!))
}

async function memberId({ userId }: Person): Promise<Uuid> {
  const [member] = await world.db.query<{ id: Uuid }>(
    sql`select id from membership where workspace_id = ${acme.acme.workspaceId} and user_id = ${userId}`,
  )
  return member!.id
}

async function remove(person: Person, by = other): Promise<void> {
  expect(await removeMember(acme.acme, by.userId, await memberId(person))).toBeUndefined()
}

/** The workspace has paid before, wants to be recharged, and has nothing left. */
async function low(saved = 'pm_first'): Promise<void> {
  await topUp(stripe, world, acme, 5000, saved)
  await choose({ enabled: true })
  await leave(acme.acme, 0)
}

/** Opens a page in the name of a person and pays on it. */
async function payAs(person: Person, saved: string): Promise<{ customer: string }> {
  const body = { amountCents: 2000, successUrl: 'https://app.example/paid' }
  const { body: answer } = await acme.acme.api('POST', '/v1/billing/top-ups', body, { key: person.token })
  const intent = Object.assign(stripe.pay(answer.url.split('/').at(-1)), { payment_method: saved })
  await tell(world, stripe.message('payment_intent.succeeded', intent))
  return { customer: intent['customer'] }
}

test('the card of an owner who is removed is not charged any more, and the workspace is told why', async () => {
  await low()
  await remove(acme.owner)
  expect(await shown()).toMatchObject({
    available: false,
    enabled: false,
    lastError: expect.stringMatching(/^payer_left: /),
  })
  expect(await run()).toBe(0)
  await choose({ enabled: true })
  expect([await run(), charges()]).toEqual([0, []])
})

test('the next page is for another customer, with the address of the owner who stays, and what is paid there is charged again', async () => {
  const { session } = await topUp(stripe, world, acme, 5000, 'pm_first')
  await remove(acme.owner)
  const { customer } = await payAs(other, 'pm_second')
  expect(customer).not.toBe(session['customer'])
  expect([stripe.objects.get(session['customer'])!['email'], stripe.objects.get(customer)!['email']]).toEqual([
    acme.owner.email,
    other.email,
  ])
  await choose({ enabled: true })
  await leave(acme.acme, 0)
  expect(await run()).toBe(1)
  expect(charges().map(({ form }) => [form['customer'], form['payment_method'], form['receipt_email']])).toEqual([
    [customer, 'pm_second', other.email],
  ])
})

test('a page that was opened before and paid afterwards is credited, and nothing of it is saved', async () => {
  const { intent } = await payOnPage(stripe, acme)
  await remove(acme.owner)
  await tell(world, stripe.message('payment_intent.succeeded', intent))
  expect([await balanceOf(acme.acme), (await shown()).available]).toEqual([5000, false])
})

test('a charge of which nobody knows what became is not repeated, and is credited when it was done after all', async () => {
  await low()
  stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
  await expect(run()).rejects.toThrow('did not answer')
  await remove(acme.owner)
  await world.clock.advance(MINUTE_MS)
  await run()
  await choose({ enabled: true })
  await world.clock.advance(MINUTE_MS)
  await run()
  expect(charges()).toHaveLength(1)
  const intent = [...stripe.objects.values()].find(
    ({ metadata }) => metadata?.earshot_kind === 'auto_recharge' && metadata.earshot_workspace === acme.acme.orgId,
  )!
  await tell(world, stripe.message('payment_intent.succeeded', intent))
  expect((await ledgerOf(acme.acme)).filter(([kind]) => kind === 'auto_recharge')).toHaveLength(1)
})

test('a forgotten card is not charged by an attempt that is still open, although another owner turns it on again', async () => {
  await low()
  stripe.faults.push({ match: '/payment_intents', status: 503 })
  await expect(run()).rejects.toThrow('did not answer')
  await remove(acme.owner)
  await choose({ enabled: true })
  await world.clock.advance(MINUTE_MS)
  expect([await run(), charges().length]).toEqual([0, 1])
  await payAs(other, 'pm_other')
  await leave(acme.acme, 0)
  await world.clock.advance(HOUR_MS)
  expect([await run(), charges().map(({ form }) => form['payment_method'])]).toEqual([1, ['pm_first', 'pm_other']])
})

test('nor when somebody else has paid meanwhile, whose card it is now, and who paid before is removed then', async () => {
  const admin = await createPerson(world.services, acme.acme.workspaceId, 'admin')
  await payAs(admin, 'pm_admin')
  await choose({ enabled: true })
  await leave(acme.acme, 0)
  stripe.faults.push({ match: '/payment_intents', status: 503 })
  await expect(run()).rejects.toThrow('did not answer')
  await world.clock.advance(MINUTE_MS)
  await payAs(other, 'pm_other')
  await leave(acme.acme, 0)
  await remove(admin)
  expect(await shown()).toMatchObject({ available: true, enabled: true, lastError: null })
  expect(await run()).toBe(0)
  await world.clock.advance(HOUR_MS)
  expect([await run(), charges().map(({ form }) => form['payment_method'])]).toEqual([1, ['pm_admin', 'pm_other']])
})

test('the card of an owner who stays goes on being charged when the owner leaves whose customer it is under', async () => {
  const { session } = await topUp(stripe, world, acme, 5000, 'pm_first')
  await world.clock.advance(MINUTE_MS)
  await payAs(other, 'pm_other')
  await choose({ enabled: true })
  await leave(acme.acme, 0)
  await remove(acme.owner)
  expect(await shown()).toMatchObject({ available: true, enabled: true, lastError: null })
  expect(await mails()).toEqual([])
  expect([await run(), charges().map(({ form }) => [form['payment_method'], form['receipt_email']])]).toEqual([
    1,
    [['pm_other', other.email]],
  ])
  expect(await payAs(other, 'pm_other')).toEqual({ customer: session['customer'] })
  expect(stripe.objects.get(session['customer'])!['email']).toBe(other.email)
  const last = await createPerson(world.services, acme.acme.workspaceId, 'owner')
  await remove(other, last)
  expect(await shown()).toMatchObject({
    available: false,
    enabled: false,
    lastError: expect.stringMatching(/^payer_left: /),
  })
})

test('the owner who stays is told by mail that recharging has ended, and why', async () => {
  await low()
  await remove(acme.owner)
  expect(await mails()).toEqual([
    {
      to: other.email,
      subject: 'Your Earshot balance is no longer recharged',
      text: expect.stringMatching(/“Acme”.*The person who saved the payment method.*Top up/s),
    },
  ])
})

test('and of a card that was not being charged automatically nobody is told', async () => {
  await topUp(stripe, world, acme, 5000, 'pm_first')
  await remove(acme.owner)
  expect([(await shown()).available, await mails()]).toEqual([false, []])
})

test('who leaves without having paid changes nothing', async () => {
  await low()
  await remove(other, acme.owner)
  expect(await shown()).toMatchObject({ available: true, enabled: true, lastError: null })
  expect(await run()).toBe(1)
})

test('an owner who may not be removed is still charged', async () => {
  await low()
  const admin = await createPerson(world.services, acme.acme.workspaceId, 'admin')
  expect(isRefusal(await removeMember(acme.acme, admin.userId, await memberId(acme.owner)))).toBe(true)
  expect(await run()).toBe(1)
})

test('the card of an admin is forgotten when they manage the workspace no more, and the customer stays', async () => {
  const admin = await createPerson(world.services, acme.acme.workspaceId, 'admin')
  const { customer } = await payAs(admin, 'pm_admin')
  await choose({ enabled: true })
  await leave(acme.acme, 0)
  expect(isRefusal(await updateMember(acme.acme, acme.owner.userId, await memberId(admin), { role: 'member' }))).toBe(
    false,
  )
  expect(await shown()).toMatchObject({
    available: false,
    enabled: false,
    lastError: expect.stringMatching(/^payer_left: /),
  })
  await world.clock.advance(MINUTE_MS)
  expect(await payAs(acme.owner, 'pm_owner')).toEqual({ customer })
  await choose({ enabled: true })
  await leave(acme.acme, 0)
  await run()
  expect(charges().map(({ form }) => form['payment_method'])).toEqual(['pm_owner'])
})

test('a page that somebody opened who manages the workspace no more saves nothing, although the customer is still the same', async () => {
  const admin = await createPerson(world.services, acme.acme.workspaceId, 'admin')
  const body = { amountCents: 2000, successUrl: 'https://app.example/paid' }
  const { body: answer } = await acme.acme.api('POST', '/v1/billing/top-ups', body, { key: admin.token })
  await remove(admin)
  const intent = stripe.pay(answer.url.split('/').at(-1))
  await tell(world, stripe.message('payment_intent.succeeded', intent))
  expect([await balanceOf(acme.acme), (await shown()).available]).toEqual([2000, false])
})

test('what goes wrong while an owner is removed leaves both the owner and the card', async () => {
  await low()
  const failing = {
    ...acme.acme,
    db: { ...world.db, transaction: () => Promise.reject(new Error('the process died')) },
  }
  await expect(removeMember(failing, other.userId, await memberId(acme.owner))).rejects.toThrow('died')
  expect(await shown()).toMatchObject({ available: true, enabled: true })
})
