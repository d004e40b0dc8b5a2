import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeKeywords, empty, makeUsageDay } from '../../../test/rows.ts'
import { createStripeStandIn, type StripeObject } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { PaymentFault } from '../../domain/payment/fault.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { centsToUnits } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { boundTo, type QueuedMail } from '../mail/queue-mail.ts'
import { creditWallet } from '../wallet/credit-wallet.ts'
import { runAutoRecharges } from './auto-recharge.ts'
import { dyingAt, isStopped, leave, ledgerOf, type Payer, payer, tell, topUp } from './payments.suite.ts'

let acme: Payer
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeAll(() => {
  world.services.mail = { send: async () => ({ outcome: 'sent' }), close: async () => undefined }
})
beforeEach(async () => {
  await empty(world, 'billing_profile', 'account_mail')
  stripe.taken.length = stripe.faults.length = 0
  acme = await payer(world)
})

/** What waits to be sent. */
async function mails(): Promise<QueuedMail[]> {
  const rows = await world.db.query<{ id: Uuid; sealed: string }>(sql`select id, sealed from account_mail`)
  return rows.map(({ id, sealed }) => JSON.parse(world.services.sealer.open(sealed, boundTo(id))!))
}

const run = () => runAutoRecharges(world.services)
const charges = () => stripe.taken.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
const recharges = async (who = acme) =>
  (await ledgerOf(who.acme)).filter(([kind]) => kind === 'auto_recharge').map(([, cents]) => cents)
const shown = async (who = acme) => (await who.acme.api('GET', '/v1/billing/wallet')).body.autoRecharge

/** Tells of every recharge that came in, as the provider does after it has answered. */
async function tellOfCharges(): Promise<void> {
  const own = ({ object, metadata }: StripeObject) =>
    object === 'payment_intent' &&
    metadata['earshot_kind'] === 'auto_recharge' &&
    metadata['earshot_workspace'] === acme.acme.orgId
  for (const intent of [...stripe.objects.values()].filter(own))
    await tell(
      world,
      stripe.message('payment_intent.succeeded', { ...intent, status: 'succeeded', amount_received: intent['amount'] }),
    )
}

/** A workspace that has paid with this before, wants to be recharged below 10 dollars by 30, and has so much left. */
async function low(saved = 'pm_good', cents = 900, who = acme): Promise<void> {
  await topUp(stripe, world, who, 5000, saved)
  await choose({ enabled: true, thresholdCents: 1000, amountCents: 3000 }, who)
  await leave(who.acme, cents)
}

async function choose(change: object, who = acme): Promise<void> {
  const { status, body } = await who.acme.api('PATCH', '/v1/billing/auto-recharge', change)
  expect([status, body]).toEqual([200, expect.objectContaining(change)])
}

describe('a wallet is charged by itself', () => {
  test('when it is below the threshold, with what was paid with before, and once', async () => {
    await low()
    expect(await run()).toBe(1)
    expect(await recharges()).toEqual([3000])
    expect(charges().map(({ form }) => [form['payment_method'], form['amount'], form['receipt_email']])).toEqual([
      ['pm_good', '3000', acme.owner.email],
    ])
    expect(await shown()).toEqual({
      available: true,
      enabled: true,
      thresholdCents: 1000,
      amountCents: 3000,
      lastRunAt: world.clock.now().toISOString(),
      lastError: null,
    })
    expect(await run()).toBe(0)
  })

  const wanted = { enabled: true }
  test.each([
    ['at the threshold', { saved: true, choice: wanted, left: 1000 }],
    ['when nobody has turned it on', { saved: true, choice: {}, left: 0 }],
    ['when it is turned off', { saved: true, choice: { enabled: false }, left: 0 }],
    ['when nothing was paid before', { saved: false, choice: wanted, left: 0 }],
  ])('but not %s', async (_, { saved, choice, left }) => {
    if (saved) await topUp(stripe, world, acme)
    await choose(choice)
    await leave(acme.acme, left)
    expect(await run()).toBe(0)
    expect(charges()).toEqual([])
  })

  test('counting what is used but not settled yet', async () => {
    await low('pm_good', 1000)
    const day = world.clock.now().toISOString().slice(0, 10)
    await makeUsageDay(world, { workspaceId: acme.acme.workspaceId, day, mentionUnits: 24 })
    expect(await run()).toBe(1)
  })

  test('and what the balance had stopped goes on', async () => {
    await acme.acme.api('POST', '/v1/keywords', { term: 'acme' })
    await low('pm_good', 0)
    await changeKeywords(world, acme.acme.workspaceId, { muted: true, pausedForBalance: true })
    await run()
    expect(await isStopped(acme.acme)).toBe(false)
  })

  test('at most once an hour, when the amount does not lift it above the threshold', async () => {
    await low('pm_good', -9000)
    expect([await run(), await run()]).toEqual([1, 0])
    await world.clock.advance(HOUR_MS - 1)
    expect(await run()).toBe(0)
    await world.clock.advance(1)
    expect(await run()).toBe(1)
  })

  test('at most once an hour, though the provider tells of the charge, somebody changes settings, or pays with something else', async () => {
    await low('pm_good', -90_000)
    await world.clock.advance(MINUTE_MS)
    await run()
    const again = async () => [await run(), charges().length]
    await tellOfCharges()
    expect(await again()).toEqual([0, 1])
    await choose({ enabled: true })
    expect(await again()).toEqual([0, 1])
    await world.clock.advance(MINUTE_MS)
    await topUp(stripe, world, acme, 2000, 'pm_other')
    expect(await again()).toEqual([0, 1])
    await world.clock.advance(HOUR_MS - MINUTE_MS)
    expect(await again()).toEqual([1, 2])
    expect(charges().at(-1)!.form['payment_method']).toBe('pm_other')
  })

  test('not for a day when money went back while it was being charged', async () => {
    await low('pm_slow', -90_000)
    await run()
    const { charge } = await topUp(stripe, world, acme, 2000)
    await tell(world, stripe.message('charge.refunded', { ...charge, amount_refunded: 2000 }))
    await tellOfCharges()
    expect(await recharges()).toEqual([3000])
    await world.clock.advance(DAY_MS - 1)
    expect([await run(), charges().length]).toEqual([0, 1])
    await world.clock.advance(1)
    await run()
    expect(charges()).toHaveLength(2)
  })

  test('after money went back when somebody chooses so anew', async () => {
    const { charge } = await topUp(stripe, world, acme, 5000, 'pm_good')
    await tell(world, stripe.message('charge.refunded', { ...charge, amount_refunded: 1500 }))
    await choose({ enabled: true, thresholdCents: 90_000 })
    expect([await run(), await recharges()]).toEqual([1, [5000]])
  })

  test('with what was saved last, though a recharge with something older comes in later', async () => {
    await low('pm_old', -90_000)
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    await expect(run()).rejects.toThrow('did not answer')
    await world.clock.advance(MINUTE_MS)
    await topUp(stripe, world, acme, 2000, 'pm_new')
    await world.clock.advance(MINUTE_MS)
    await run()
    await tellOfCharges()
    await world.clock.advance(HOUR_MS)
    await run()
    expect(charges().map(({ form }) => form['payment_method'])).toEqual(['pm_old', 'pm_new'])
  })

  test('once by several processes that look at the same time', async () => {
    await low()
    const counts = await Promise.all([run(), run(), run()])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(charges()).toHaveLength(1)
    expect(await recharges()).toEqual([3000])
  })

  test('each on its own account, when many are low', async () => {
    const others = await Promise.all(['A', 'B', 'C'].map((name) => payer(world, name)))
    for (const other of others) await low('pm_good', 0, other)
    expect(await run()).toBe(3)
    expect(await Promise.all(others.map((other) => recharges(other)))).toEqual([[3000], [3000], [3000]])
    expect(new Set(charges().map(({ form }) => form['customer'])).size).toBe(3)
  })
})

describe('when it is not known whether a wallet was charged', () => {
  test('because the answer was lost, the same is asked again a minute later, and nobody is charged twice', async () => {
    await low()
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    await expect(run()).rejects.toThrow('did not answer')
    expect(await recharges()).toEqual([])
    expect(await run()).toBe(0)
    await choose({ amountCents: 9000 })
    await world.clock.advance(MINUTE_MS)
    expect(await run()).toBe(1)
    expect(await recharges()).toEqual([3000])
    const [first, second] = charges()
    expect(second).toEqual(first)
  })

  test('because the process died after the answer, the event credits it, and nothing is asked again', async () => {
    await low()
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    await expect(run()).rejects.toThrow()
    const intent = [...stripe.objects.values()].find(
      ({ metadata }) =>
        metadata?.['earshot_kind'] === 'auto_recharge' && metadata['earshot_workspace'] === acme.acme.orgId,
    )!
    expect(await tell(world, stripe.message('payment_intent.succeeded', intent))).toMatchObject({ became: 'done' })
    await world.clock.advance(MINUTE_MS)
    expect(await run()).toBe(0)
    expect(charges()).toHaveLength(1)
    expect([await recharges(), (await shown()).lastError]).toEqual([[3000], null])
  })

  test('because the event came first, it is credited once', async () => {
    await low()
    const payments = world.services.payments!
    const services = {
      ...world.services,
      payments: {
        ...payments,
        charge: async (...given: Parameters<typeof payments.charge>) => {
          const outcome = await payments.charge(...given)
          const intent = [...stripe.objects.values()].find(
            ({ metadata }) => metadata?.['earshot_attempt'] === given[0].attemptId,
          )!
          await tell(world, stripe.message('payment_intent.succeeded', intent))
          return outcome
        },
      },
    }
    await runAutoRecharges(services)
    expect(await recharges()).toEqual([3000])
  })

  test('because the process died at whatever statement, the next one charges and credits once', async () => {
    let statement = 0
    for (let done = false; !done; statement += 1) {
      const who = await payer(world)
      await low('pm_good', 900, who)
      done = await runAutoRecharges({ ...world.services, db: dyingAt(world.db, statement) }).then(
        () => true,
        () => false,
      )
      await world.clock.advance(MINUTE_MS)
      await run()
      const made = [...stripe.objects.values()].filter(
        ({ object, metadata }) => object === 'payment_intent' && metadata.earshot_workspace === who.acme.orgId,
      )
      expect([
        await recharges(who),
        made.filter(({ metadata }) => metadata.earshot_kind === 'auto_recharge').length,
      ]).toEqual([[3000], 1])
    }
    expect(statement).toBeGreaterThan(8)
  })

  test('it is not asked again once it is turned off', async () => {
    await low()
    stripe.faults.push({ match: '/payment_intents', status: 500 })
    await expect(run()).rejects.toThrow()
    await choose({ enabled: false })
    await world.clock.advance(MINUTE_MS)
    await run()
    expect(charges()).toHaveLength(1)
    expect(await shown()).toMatchObject({ enabled: false, lastError: null })
  })

  test('and it is turned off and on again, the card is not charged anew before the provider has had time to tell', async () => {
    await low()
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    await expect(run()).rejects.toThrow()
    await choose({ enabled: false })
    await world.clock.advance(MINUTE_MS)
    await run()
    await choose({ enabled: true })
    await run()
    expect(charges()).toHaveLength(1)
    await tellOfCharges()
    await world.clock.advance(HOUR_MS)
    await run()
    expect([charges().length, await recharges()]).toEqual([1, [3000]])
  })

  test('and a payment is disputed meanwhile, that stays the reason why it is turned off', async () => {
    await low()
    const { intent } = await topUp(stripe, world, acme, 2000)
    await leave(acme.acme, 900)
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    await expect(run()).rejects.toThrow()
    const dispute = {
      id: 'dp_meanwhile',
      payment_intent: intent['id'],
      amount: 2000,
      currency: 'usd',
      status: 'needs_response',
    }
    await tell(world, stripe.message('charge.dispute.created', dispute))
    await tellOfCharges()
    expect(await shown()).toMatchObject({ enabled: false, lastError: expect.stringMatching(/^disputed: /) })
  })

  test('for a day, it is given up before the provider forgets that it was asked', async () => {
    await low()
    stripe.faults.push({ match: '/payment_intents', status: 500, times: 100 })
    await expect(run()).rejects.toThrow()
    await world.clock.advance(23 * HOUR_MS - 1)
    await expect(run()).rejects.toThrow()
    expect(charges()).toHaveLength(2)
    await world.clock.advance(MINUTE_MS)
    expect(await run()).toBe(0)
    expect(charges()).toHaveLength(2)
    expect((await shown()).lastError).toMatch(/^no_answer: /)
  })
})

test('one provider that does not answer is not waited for once a workspace', async () => {
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => payer(world, `W${at}`)))
  for (const other of others) await low('pm_good', 0, other)
  stripe.faults.push({ match: '/payment_intents', status: 503, times: 100 })
  await expect(run()).rejects.toThrow('did not answer')
  expect(charges().length).toBeLessThanOrEqual(16)
  stripe.faults.length = 0
  await world.clock.advance(MINUTE_MS)
  expect(await run()).toBe(20)
})

test.each([
  ['is never answered', async () => new PaymentFault('unavailable'), '20 recharges were settled'],
  ['cannot be written down', async () => Promise.reject(new Error('the workspace is gone')), 'the workspace is gone'],
])('one workspace whose charge %s keeps nobody else waiting', async (_, ofAcme, failure) => {
  await low()
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => payer(world, `W${at}`)))
  for (const other of others) await low('pm_good', 0, other)
  const payments = world.services.payments!
  const charge: typeof payments.charge = async (order, key) => {
    return order.workspaceId === acme.acme.workspaceId ? ofAcme() : payments.charge(order, key)
  }
  await expect(runAutoRecharges({ ...world.services, payments: { ...payments, charge } })).rejects.toThrow(failure)
  expect(await Promise.all(others.map((other) => recharges(other)))).toEqual(others.map(() => [3000]))
})

test('a key of the installation that is not taken is no failure of the card: no owner is told, and it is asked again', async () => {
  await low()
  stripe.faults.push({
    match: '/payment_intents',
    status: 401,
    body: { error: { type: 'invalid_request_error', message: 'Expired API Key' } },
  })
  await expect(run()).rejects.toThrow('did not answer')
  expect([await mails(), (await shown()).lastError]).toEqual([[], null])
  await world.clock.advance(MINUTE_MS)
  expect(await run()).toBe(1)
  expect(await recharges()).toEqual([3000])
})

describe('a charge that fails', () => {
  test.each([
    ['pm_declined', 'card_declined'],
    ['pm_poor', 'insufficient_funds'],
    ['pm_asks', 'authentication_required'],
  ])('with %s is told to the owner as %s, and tried again after a day, without another mail', async (saved, code) => {
    await low(saved)
    await run()
    expect(await recharges()).toEqual([])
    expect(await shown()).toMatchObject({
      lastRunAt: world.clock.now().toISOString(),
      lastError: expect.stringMatching(`^${code}: `),
    })
    expect(await mails()).toEqual([
      {
        to: acme.owner.email,
        subject: 'Your Earshot balance could not be recharged',
        text: expect.stringContaining(PUBLIC_URL),
      },
    ])
    expect((await mails())[0]!.text).toContain('“Acme”')
    await world.clock.advance(DAY_MS - 1)
    await run()
    expect(charges()).toHaveLength(1)
    await world.clock.advance(1)
    await run()
    expect(charges()).toHaveLength(2)
    expect(await mails()).toHaveLength(1)
  })

  test('is tried again at once when settings change, or somebody pays with something else', async () => {
    await low('pm_declined')
    await run()
    await choose({ amountCents: 4000 })
    expect((await shown()).lastError).toBeNull()
    await run()
    expect(charges()).toHaveLength(2)
    await world.clock.advance(1000)
    await topUp(stripe, world, acme, 2000, 'pm_good')
    await leave(acme.acme, 0)
    await run()
    expect([charges().length, await recharges()]).toEqual([3, [4000]])
  })

  test('is not tried again, nor told again, because somebody sets what is set already', async () => {
    await low('pm_declined')
    await run()
    await choose({ enabled: true, thresholdCents: 1000, amountCents: 3000 })
    expect((await shown()).lastError).toMatch(/^card_declined: /)
    await run()
    expect([charges().length, (await mails()).length]).toEqual([1, 1])
  })

  test('because it is not there any more is not tried before something else is', async () => {
    await low()
    stripe.faults.push({
      match: '/payment_intents',
      status: 404,
      body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } },
    })
    await run()
    expect((await shown()).available).toBe(false)
    await world.clock.advance(2 * DAY_MS)
    await run()
    expect(charges()).toHaveLength(1)
  })

  test('days later is told by an event, and that takes days is not repeated meanwhile', async () => {
    await low('pm_slow')
    await run()
    await world.clock.advance(3 * DAY_MS)
    await run()
    expect(charges()).toHaveLength(1)
    const intent = [...stripe.objects.values()].find(
      ({ status, metadata }) => status === 'processing' && metadata['earshot_workspace'] === acme.acme.orgId,
    )!
    const failed = { ...intent, last_payment_error: { code: 'card_declined', decline_code: null } }
    await tell(world, stripe.message('payment_intent.payment_failed', failed))
    expect((await shown()).lastError).toMatch(/^card_declined: /)
    await tell(world, stripe.message('payment_intent.payment_failed', failed))
    expect(await mails()).toHaveLength(1)
  })
})

test('an older payment does not bring back what was paid with before', async () => {
  const first = await topUp(stripe, world, acme, 2000, 'pm_old')
  await world.clock.advance(MINUTE_MS)
  await topUp(stripe, world, acme, 2000, 'pm_new')
  await tell(world, stripe.message('payment_intent.succeeded', first.intent))
  const [profile] = await world.db.query(
    sql`select payment_method_id from billing_profile where workspace_id = ${acme.acme.workspaceId}`,
  )
  expect(profile).toEqual({ payment_method_id: 'pm_new' })
})

test('money that is given meanwhile spares the charge', async () => {
  await low()
  const { workspaceId } = acme.acme
  await world.db.transaction((tx) =>
    creditWallet(tx, world.services, {
      workspaceId,
      kind: 'grant',
      amount: centsToUnits(500),
      key: 'grant x',
      note: null,
    }),
  )
  expect(await run()).toBe(0)
})

test('an installation that charges nothing, or takes no payments, charges no card', async () => {
  await low()
  expect(await runAutoRecharges({ ...world.services, billing: 'unmetered' })).toBe(0)
  expect(await runAutoRecharges({ ...world.services, payments: null })).toBe(0)
  expect(charges()).toEqual([])
})
