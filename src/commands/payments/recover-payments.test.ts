import { beforeEach, expect, test } from 'vitest'
import { empty } from '../../../test/rows.ts'
import { createStripeStandIn, type StripeObject } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { PaymentFault } from '../../domain/payment/fault.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { type BegunCustomer, findBegun } from '../../store/wallet/billing-customers.ts'
import { findRecharges } from '../../store/wallet/recharges.ts'
import { runAutoRecharges } from './auto-recharge.ts'
import { balanceOf, dyingAt, leave, ledgerOf, type Payer, payer, payOnPage, tell, topUp } from './payments.suite.ts'
import { recoverPayments } from './recover-payments.ts'

let acme: Payer
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  await empty(world, 'billing_profile', 'billing_customer')
  stripe.taken.length = stripe.faults.length = 0
  acme = await payer(world)
})

const recover = () => recoverPayments(world.services)
const asked = () => stripe.taken.filter(({ method, path }) => method === 'GET' && path === '/v1/payment_intents')

/** A payment that came in for the customer of another one, but for what is changed of it. */
function put(like: StripeObject, change: StripeObject): StripeObject {
  return stripe.put({ ...like, ...change })
}

test('a payment of which no message comes is credited all the same, once, with everything that follows', async () => {
  const { intent } = await payOnPage(stripe, acme)
  expect(await balanceOf(acme.acme)).toBe(0)
  expect(await recover()).toBe(1)
  expect(await ledgerOf(acme.acme)).toEqual([['topup', 5000, `payment ${intent['id']}`]])
  expect((await acme.acme.api('GET', '/v1/billing/wallet')).body.autoRecharge.available).toBe(true)
  expect(await recover()).toBe(0)
  expect(await tell(world, stripe.message('payment_intent.succeeded', intent))).toMatchObject({
    became: 'heard before',
  })
  expect(await balanceOf(acme.acme)).toBe(5000)
})

test('a payment that has gone back already brings nothing, and what is told of it afterwards changes nothing', async () => {
  const { intent, charge } = await payOnPage(stripe, acme)
  charge['amount_refunded'] = 5000
  expect(await recover()).toBe(1)
  expect((await ledgerOf(acme.acme)).map(([kind, cents]) => [kind, cents])).toEqual([
    ['topup', 5000],
    ['refund', -5000],
  ])
  await recover()
  expect(await tell(world, stripe.message('payment_intent.succeeded', intent))).toMatchObject({
    became: 'heard before',
  })
  expect(await tell(world, stripe.message('charge.refunded', charge))).toMatchObject({ became: 'heard before' })
  expect(await balanceOf(acme.acme)).toBe(0)
})

test('what went back later, a part each time, is taken by what the list shows, and by a message that comes after all, once', async () => {
  const { charge } = await payOnPage(stripe, acme)
  const balanceAfter = async (refunded: number) => {
    charge['amount_refunded'] = refunded
    await recover()
    return balanceOf(acme.acme)
  }
  expect([await balanceAfter(0), await balanceAfter(700), await balanceAfter(1500)]).toEqual([5000, 4300, 3500])
  const late = stripe.message('charge.refunded', { ...charge, amount_refunded: 700 })
  await world.clock.advance(HOUR_MS)
  await tell(world, stripe.message('charge.refunded', charge))
  await tell(world, late)
  expect(await balanceOf(acme.acme)).toBe(3500)
  // A refund that has failed is told; what a list had shown before is older than any message.
  await tell(world, stripe.message('charge.refunded', { ...charge, amount_refunded: 0 }))
  await world.clock.advance(HOUR_MS)
  await tell(world, stripe.message('charge.refunded', { ...charge, amount_refunded: 700 }))
  expect(await balanceOf(acme.acme)).toBe(4300)
  await recover()
  expect(await balanceOf(acme.acme)).toBe(4300)
})

test.each([
  ['lost', 0],
  ['needs_response', 0],
  ['won', 5000],
  ['warning_needs_response', 5000],
])('of a payment whose dispute is %s so much is left in the end: %i', async (status, cents) => {
  const { intent, charge } = await payOnPage(stripe, acme)
  const dispute = stripe.put({
    id: `dp_${intent['id']}`,
    object: 'dispute',
    payment_intent: intent['id'],
    amount: 5000,
    currency: 'usd',
    status,
  })
  charge['disputed'] = true
  expect([await recover(), await balanceOf(acme.acme), await recover()]).toEqual([1, cents, 0])
  await tell(world, stripe.message('charge.dispute.closed', dispute))
  expect(await balanceOf(acme.acme)).toBe(cents)
})

test('a payment is credited although nothing is to be learned of its dispute, which is taken as soon as that is', async () => {
  const { intent, charge } = await payOnPage(stripe, acme)
  stripe.put({
    id: 'dp_late',
    object: 'dispute',
    payment_intent: intent['id'],
    amount: 5000,
    currency: 'usd',
    status: 'lost',
  })
  charge['disputed'] = true
  stripe.faults.push({ match: '/disputes', status: 403 })
  await expect(recover()).rejects.toThrow('1 were credited')
  expect(await balanceOf(acme.acme)).toBe(5000)
  expect([await recover(), await balanceOf(acme.acme)]).toEqual([0, 0])
})

test('what has gone back is taken although the process died at whatever statement', async () => {
  let statement = 0
  for (let done = false; !done; statement += 1) {
    await empty(world, 'billing_customer')
    const who = await payer(world)
    const { charge } = await payOnPage(stripe, who)
    charge['amount_refunded'] = 2000
    done = await recoverPayments({ ...world.services, db: dyingAt(world.db, statement) }).then(
      () => true,
      () => false,
    )
    await recover()
    expect(await balanceOf(who.acme)).toBe(3000)
  }
  expect(statement).toBeGreaterThan(12)
})

test('nothing is credited for a page that nobody paid, or by a payment that is not ours, not in dollars, or not done', async () => {
  const { intent } = await topUp(stripe, world, acme)
  await acme.acme.api('POST', '/v1/billing/top-ups', { amountCents: 2000, successUrl: 'https://app.example/paid' })
  put(intent, { id: 'pi_unlabelled', metadata: {} })
  put(intent, { id: 'pi_yen', currency: 'jpy' })
  put(intent, { id: 'pi_slow', status: 'processing' })
  expect(await recover()).toBe(0)
  expect(await balanceOf(acme.acme)).toBe(5000)
})

test('a recharge that was given up, and was done after all, is credited', async () => {
  await topUp(stripe, world, acme, 5000, 'pm_good')
  await acme.acme.api('PATCH', '/v1/billing/auto-recharge', { enabled: true })
  await leave(acme.acme, 0)
  await world.clock.advance(9 * DAY_MS)
  stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
  await expect(runAutoRecharges(world.services)).rejects.toThrow('did not answer')
  await world.clock.advance(DAY_MS)
  await runAutoRecharges(world.services)
  await world.clock.advance(8 * DAY_MS)
  expect(await recover()).toBe(1)
  expect((await ledgerOf(acme.acme)).map(([kind]) => kind)).toContain('auto_recharge')
  expect(await recover()).toBe(0)
})

test('is asked for ten days after a payment was begun, and not for longer', async () => {
  await payOnPage(stripe, acme)
  await world.clock.advance(10 * DAY_MS + 1)
  expect([await recover(), asked()]).toEqual([0, []])
})

test('the customer of an owner who has left is asked for too', async () => {
  await payOnPage(stripe, acme)
  await world.db.query(sql`update billing_profile set customer_id = null`)
  expect(await recover()).toBe(1)
})

test('two processes that look at once credit once', async () => {
  const others = await Promise.all(['A', 'B', 'C'].map((name) => payer(world, name)))
  for (const item of [acme, ...others]) await payOnPage(stripe, item)
  const counts = await Promise.all([recover(), recover(), recover()])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(await Promise.all(others.map((other) => balanceOf(other.acme)))).toEqual([5000, 5000, 5000])
})

test('one customer of whom nothing is to be learned keeps no other waiting, and one that is gone is no failure', async () => {
  const others = await Promise.all(['A', 'B'].map((name) => payer(world, name)))
  for (const item of [acme, ...others]) await payOnPage(stripe, item)
  const payments = world.services.payments!
  let first: string | null = null
  const paymentsOf: typeof payments.paymentsOf = async (customer, since) => {
    first ??= customer
    if (customer === first) throw new Error('of no use')
    return payments.paymentsOf(customer, since)
  }
  await expect(recoverPayments({ ...world.services, payments: { ...payments, paymentsOf } })).rejects.toThrow(
    '2 were credited',
  )
  const gone = { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } }
  stripe.faults.push({ match: '/payment_intents', status: 404, body: gone, times: 3 })
  expect(await recover()).toBe(0)
  stripe.faults.length = 0
  await world.clock.advance(HOUR_MS)
  expect(await recover()).toBe(1)
})

test('customers of whom never anything is to be learned keep those behind them from being asked for some runs at most', async () => {
  const payers: Payer[] = []
  for (const name of Array.from({ length: 12 }, (_, at) => `W${at}`)) payers.push(await payer(world, name))
  for (const item of payers) await payOnPage(stripe, item)
  const payments = world.services.payments!
  // Those that the first run asks before all others.
  const begun = await findBegun(world.db, new Date(0), { order: world.clock.now().getTime(), after: null, limit: 100 })
  const failing = begun.slice(0, 9).map(({ customerId }) => customerId)
  const paymentsOf: typeof payments.paymentsOf = async (customer, since) => {
    if (failing.includes(customer)) throw new Error('of no use')
    return payments.paymentsOf(customer, since)
  }
  for (let hour = 0; hour < 48; hour += 1) {
    const outcome = hour === 0 ? '0 were credited' : 'could not be looked for'
    await expect(recoverPayments({ ...world.services, payments: { ...payments, paymentsOf } })).rejects.toThrow(outcome)
    await world.clock.advance(HOUR_MS)
  }
  const balances = await Promise.all(payers.map(({ acme: workspace }) => balanceOf(workspace)))
  expect(balances.sort()).toEqual([...failing.map(() => 0), 5000, 5000, 5000])
})

test('three of many customers that always fail, wherever they stand, keep no other waiting', async () => {
  const payers: Payer[] = []
  for (const name of Array.from({ length: 31 }, (_, at) => `W${at}`)) payers.push(await payer(world, name))
  const failing = new Set<string>()
  for (const [place, item] of payers.entries()) {
    const { session } = await payOnPage(stripe, item)
    if ([3, 7, 11].includes(place)) failing.add(session['customer'])
  }
  const payments = world.services.payments!
  const paymentsOf: typeof payments.paymentsOf = async (customer, since) =>
    failing.has(customer) ? new PaymentFault('unavailable') : payments.paymentsOf(customer, since)
  await expect(recoverPayments({ ...world.services, payments: { ...payments, paymentsOf } })).rejects.toThrow(
    '28 were credited',
  )
})

test('whatever the order that is drawn, a list is read to its end in parts, and everybody stands in it once', async () => {
  for (const name of Array.from({ length: 7 }, (_, at) => `W${at}`)) {
    const item = await payer(world, name)
    await payOnPage(stripe, item)
    await topUp(stripe, world, item, 5000, 'pm_good')
    await item.acme.api('PATCH', '/v1/billing/auto-recharge', { enabled: true })
    await leave(item.acme, 0)
  }
  const read = async <One>(page: (after: One | null) => Promise<One[]>) => {
    const all: One[] = []
    for (let part = await page(null); part.length > 0; part = await page(part.at(-1)!)) all.push(...part)
    return all.map((item) => JSON.stringify(item))
  }
  const { db, clock } = world
  const orders = Array.from({ length: 6 }, (_, at) => clock.now().getTime() + at)
  for (const list of [
    (order: number) => read<BegunCustomer>((after) => findBegun(db, new Date(0), { order, after, limit: 3 })),
    (order: number) => read<Uuid>((after) => findRecharges(db, clock.now(), { order, after, limit: 3 })),
  ]) {
    const lists = await Promise.all(orders.map(list))
    expect(lists.map((list) => [list.length, new Set(list).size])).toEqual(orders.map(() => [7, 7]))
    expect(new Set(lists.map((list) => list.join())).size).toBeGreaterThan(1)
    expect(new Set(lists.map((list) => [...list].sort().join())).size).toBe(1)
  }
})

test('a provider that does not answer is not waited for once a customer', async () => {
  for (const name of Array.from({ length: 20 }, (_, at) => `W${at}`)) await payOnPage(stripe, await payer(world, name))
  stripe.faults.push({ match: '/payment_intents', status: 503, times: 100 })
  await expect(recover()).rejects.toThrow('could not be looked for')
  expect(asked().length).toBeLessThanOrEqual(16)
})

test('without a provider nothing is looked for', async () => {
  expect(await recoverPayments({ ...world.services, payments: null })).toBe(0)
})
