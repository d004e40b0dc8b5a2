import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createStripeStandIn, type StripeObject, type StripeStandIn } from '../../../test/stand-ins/stripe.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { DAY_MS } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { watchWallets } from '../wallet/watch-wallets.ts'
import { balanceOf, dyingAt, isStopped, ledgerOf, type Payer, payer, payOnPage, tell } from './payments.suite.ts'
import { takeMessage } from './take-message.ts'

let acme: Payer
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  acme = await payer(world)
})

const disputeOf = (intent: StripeObject, status: string, id = `dp_${intent['id']}`, amount = intent['amount']) => ({
  id,
  payment_intent: intent['id'],
  amount,
  currency: 'usd',
  status,
})

/** What became of it, or the code of the refusal. */
async function told(type: string, object: unknown, options?: Parameters<StripeStandIn['message']>[2]): Promise<string> {
  const outcome = await tell(world, stripe.message(type, object, options))
  return isRefusal(outcome) ? outcome.code : outcome.became
}

describe('a payment', () => {
  test('is credited once, whichever messages tell of it, in whatever order', async () => {
    const { session, intent } = await payOnPage(stripe, acme)
    expect(await told('checkout.session.completed', session)).toBe('done')
    expect(await told('payment_intent.succeeded', intent)).toBe('heard before')
    expect(await told('checkout.session.completed', session)).toBe('heard before')
    expect(await ledgerOf(acme.acme)).toEqual([['topup', 5000, `payment ${intent['id']}`]])
    const other = await payOnPage(stripe, acme, 2000)
    expect(await told('payment_intent.succeeded', other.intent)).toBe('done')
    expect(await told('checkout.session.completed', other.session)).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(7000)
  })

  test.each([-1000, 9e15, 0.5, '5000', null])(
    'of %j is refused as a message of another form, is logged, and changes nothing',
    async (amount) => {
      const { intent, charge } = await payOnPage(stripe, acme)
      const lines = stripe.lines.length
      expect(await told('payment_intent.succeeded', { ...intent, amount_received: amount })).toBe('validation_error')
      expect(await told('charge.refunded', { ...charge, amount_refunded: amount })).toBe('validation_error')
      expect(await told('charge.dispute.created', disputeOf(intent, 'lost', 'dp_odd', amount))).toBe('validation_error')
      expect(stripe.lines.slice(lines).join('')).toContain('stripe.event_invalid')
      expect(await ledgerOf(acme.acme)).toEqual([])
    },
  )

  test('that names one workspace and comes from the customer of another is credited to neither', async () => {
    const other = await payer(world, 'Other')
    const { intent } = await payOnPage(stripe, acme)
    const theirs = await payOnPage(stripe, other)
    const mixed = { ...intent, customer: theirs.intent['customer'] }
    expect(await told('payment_intent.succeeded', mixed)).toBe('not ours')
    expect([await ledgerOf(acme.acme), await ledgerOf(other.acme)]).toEqual([[], []])
    expect(JSON.stringify(world.logged)).toContain('payment.mismatched')
    expect(await told('payment_intent.succeeded', intent)).toBe('done')
  })

  test('that takes days is credited when it has come, and not when the page was left', async () => {
    const { session } = await payOnPage(stripe, acme)
    expect(await told('checkout.session.completed', { ...session, payment_status: 'unpaid' })).toBe('of no matter')
    expect(await balanceOf(acme.acme)).toBe(0)
    expect(await told('checkout.session.async_payment_succeeded', session)).toBe('done')
    expect(await balanceOf(acme.acme)).toBe(5000)
  })

  test('lifts the limits of the welcome credit, as every top-up does', async () => {
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    const [workspace] = await world.db.query(
      sql`select welcome_limits, last_top_up_at from workspace where id = ${acme.acme.workspaceId}`,
    )
    expect(workspace).toEqual({ welcome_limits: false, last_top_up_at: world.clock.now() })
  })

  test('is credited once by two processes that hear of it at once', async () => {
    const { session, intent } = await payOnPage(stripe, acme)
    const outcomes = await Promise.all([
      told('checkout.session.completed', session),
      told('payment_intent.succeeded', intent),
      told('payment_intent.succeeded', intent),
    ])
    expect(outcomes.sort()).toEqual(['done', 'heard before', 'heard before'])
    expect(await balanceOf(acme.acme)).toBe(5000)
  })

  test('for a workspace that is not here, for none, or in another currency moves nothing', async () => {
    const { intent } = await payOnPage(stripe, acme)
    const foreign = { ...intent, metadata: { earshot_workspace: newId('org', world.clock.now()) } }
    expect(await told('payment_intent.succeeded', { ...foreign, id: 'pi_foreign' })).toBe('not ours')
    expect(await told('payment_intent.succeeded', { ...intent, id: 'pi_none', metadata: {} })).toBe('not ours')
    expect(await told('payment_intent.succeeded', { ...intent, id: 'pi_yen', currency: 'jpy' })).toBe('not ours')
    expect(await balanceOf(acme.acme)).toBe(0)
  })
})

describe('a process that dies', () => {
  test('at whatever statement leaves nothing, and the message is taken when it is sent again', async () => {
    const { intent } = await payOnPage(stripe, acme)
    const message = stripe.message('payment_intent.succeeded', intent)
    let statement = 0
    for (let done = false; !done; statement += 1) {
      const services = { ...world.services, db: dyingAt(world.db, statement) }
      done = await takeMessage(services, message.body, message.signature).then(
        () => true,
        () => false,
      )
      expect(await balanceOf(acme.acme)).toBe(done ? 5000 : 0)
    }
    expect(statement).toBeGreaterThan(5)
    expect(await tell(world, message)).toMatchObject({ became: 'heard before' })
    expect(await balanceOf(acme.acme)).toBe(5000)
  })
})

describe('a refund', () => {
  test('takes the difference to what has gone back before', async () => {
    const { intent, charge } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    expect(await told('charge.refunded', { ...charge, amount_refunded: 1500 })).toBe('done')
    await world.clock.advance(DAY_MS)
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5000 })).toBe('done')
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5000 })).toBe('heard before')
    expect((await ledgerOf(acme.acme)).map(([kind, cents]) => [kind, cents])).toEqual([
      ['topup', 5000],
      ['refund', -1500],
      ['refund', -3500],
    ])
  })

  test('whose charge says nothing of the workspace is found by its payment', async () => {
    const { intent, charge } = await payOnPage(stripe, acme)
    const bare = { ...charge, metadata: {}, amount_refunded: 100 }
    expect(await told('charge.refunded', bare)).toBe('not ours')
    await told('payment_intent.succeeded', intent)
    expect(await told('charge.refunded', bare)).toBe('done')
    expect(await balanceOf(acme.acme)).toBe(4900)
  })

  test('that failed after all is given back, as much as the provider says now', async () => {
    const { intent, charge } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    await told('charge.refunded', { ...charge, amount_refunded: 5000 })
    await world.clock.advance(DAY_MS)
    const failed = { id: 're_1', charge: charge['id'] }
    stripe.faults.push({ match: '/v1/charges', status: 500 })
    expect(await told('refund.failed', failed)).toBe('upstream_unavailable')
    expect(await balanceOf(acme.acme)).toBe(0)
    expect(await told('refund.failed', failed)).toBe('done')
    expect(await told('refund.failed', failed)).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(5000)
    expect(await told('refund.failed', { id: 're_2', charge: 'ch_nobody' })).toBe('not ours')
  })

  test('that is called off is given back as one that failed is', async () => {
    const { intent, charge } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    await told('charge.refunded', { ...charge, amount_refunded: 5000 })
    await world.clock.advance(DAY_MS)
    const refund = { id: 're_1', charge: charge['id'] }
    expect(await told('refund.updated', { ...refund, status: 'succeeded' })).toBe('of no matter')
    expect(await balanceOf(acme.acme)).toBe(0)
    expect(await told('refund.updated', { ...refund, status: 'canceled' })).toBe('done')
    expect(await told('refund.failed', refund)).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(5000)
  })

  test('may take the balance below nothing, and then stops what runs', async () => {
    await acme.acme.api('POST', '/v1/keywords', { term: 'acme' })
    const { charge } = await payOnPage(stripe, acme)
    await told('charge.refunded', { ...charge, amount_refunded: 5000 })
    expect(await balanceOf(acme.acme)).toBe(-5000)
    await watchWallets(world.services)
    expect(await isStopped(acme.acme)).toBe(true)
  })
})

describe('a dispute', () => {
  test('takes the money when it is opened, for good when it is lost', async () => {
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    expect(await told('charge.dispute.created', disputeOf(intent, 'needs_response'))).toBe('done')
    expect(await told('charge.dispute.funds_withdrawn', disputeOf(intent, 'needs_response'))).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(0)
    expect(await told('charge.dispute.closed', disputeOf(intent, 'lost'))).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(0)
  })

  test('that is won gives the money back, and lets keywords go on that it had stopped', async () => {
    await acme.acme.api('POST', '/v1/keywords', { term: 'acme' })
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    await told('charge.dispute.created', disputeOf(intent, 'needs_response', 'dp_much', 20_000))
    await watchWallets(world.services)
    expect(await isStopped(acme.acme)).toBe(true)
    expect(await told('charge.dispute.closed', disputeOf(intent, 'won', 'dp_much', 20_000))).toBe('done')
    expect(await isStopped(acme.acme)).toBe(false)
    expect(await balanceOf(acme.acme)).toBe(5000)
  })

  test('that is won gives back what it took, although another amount is named by then', async () => {
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    await told('charge.dispute.created', disputeOf(intent, 'needs_response', 'dp_part', 3000))
    expect(await balanceOf(acme.acme)).toBe(2000)
    await told('charge.dispute.closed', disputeOf(intent, 'won', 'dp_part', 5000))
    expect(await balanceOf(acme.acme)).toBe(5000)
  })

  test('gives back what it took, although it is told at once that it was opened and that it was won, with other amounts', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { intent } = await payOnPage(stripe, acme)
      const before = await balanceOf(acme.acme)
      const messages = [
        () => told('charge.dispute.created', disputeOf(intent, 'needs_response', `dp_at_once_${round}`, 3000)),
        () => told('charge.dispute.closed', disputeOf(intent, 'won', `dp_at_once_${round}`, 5000)),
      ]
      await Promise.all((round % 2 === 0 ? messages : messages.reverse()).map((tellIt) => tellIt()))
      expect(await balanceOf(acme.acme)).toBe(before)
    }
  })

  test('told of before its payment is asked for at the provider', async () => {
    const { intent } = await payOnPage(stripe, acme)
    stripe.faults.push({ match: '/v1/payment_intents', status: 503 })
    expect(await told('charge.dispute.created', disputeOf(intent, 'needs_response'))).toBe('upstream_unavailable')
    expect(await told('charge.dispute.created', disputeOf(intent, 'needs_response'))).toBe('done')
    expect(await balanceOf(acme.acme)).toBe(-5000)
    await told('payment_intent.succeeded', intent)
    expect(await balanceOf(acme.acme)).toBe(0)
    expect(await told('charge.dispute.created', disputeOf({ id: 'pi_nobody', amount: 1 }, 'needs_response'))).toBe(
      'not ours',
    )
  })

  test('that is a mere question takes nothing, until it becomes one', async () => {
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    expect(await told('charge.dispute.created', disputeOf(intent, 'warning_needs_response'))).toBe('heard before')
    expect(await balanceOf(acme.acme)).toBe(5000)
    expect(await told('charge.dispute.updated', disputeOf(intent, 'needs_response'))).toBe('done')
    expect(await balanceOf(acme.acme)).toBe(0)
  })

  test('turns auto-recharge off: the same card is not charged again by itself', async () => {
    const { intent } = await payOnPage(stripe, acme)
    await told('payment_intent.succeeded', intent)
    await acme.acme.api('PATCH', '/v1/billing/auto-recharge', { enabled: true })
    await told('charge.dispute.created', disputeOf(intent, 'needs_response'))
    const { autoRecharge } = (await acme.acme.api('GET', '/v1/billing/wallet')).body
    expect(autoRecharge).toMatchObject({ enabled: false, lastError: expect.stringMatching(/^disputed: /) })
  })
})

test('whatever is told in whatever order, dropped, repeated and at once: the wallet holds payments less refunds less disputes that are not won', async () => {
  const arbitrary = fc.record({
    amount: fc.integer({ min: 2000, max: 9000 }),
    byPage: fc.boolean(),
    refunds: fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 3 }),
    dispute: fc.constantFrom(
      null,
      ['needs_response'],
      ['needs_response', 'won'],
      ['needs_response', 'lost'],
      ['warning_needs_response', 'warning_closed'],
    ),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitrary, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (payments, chance) => {
        const next = () => chance.next().value as number
        const fresh = await payer(world)
        run += 1
        let expected = 0
        const messages = payments.flatMap(({ amount, byPage, refunds, dispute }, at) => {
          const metadata = { earshot_workspace: fresh.acme.orgId, earshot_kind: 'topup' }
          const id = `pi_${run}_${at}`
          const created = 1_763_630_000
          const intent = stripe.put({
            id,
            created,
            status: 'succeeded',
            amount,
            amount_received: amount,
            currency: 'usd',
            customer: 'cus_x',
            metadata,
          })
          const session = {
            id: `cs_${id}`,
            created,
            payment_status: 'paid',
            payment_intent: id,
            amount_total: amount,
            currency: 'usd',
            customer: 'cus_x',
            metadata,
          }
          let refunded = 0
          const told = refunds.map((cents, index) => {
            refunded += cents
            const charge = { id: `ch_${id}`, payment_intent: id, amount_refunded: refunded, currency: 'usd', metadata }
            return stripe.message('charge.refunded', charge, { created: created + 100 + Math.floor(index / 2) })
          })
          const left = dispute === null || dispute[0] !== 'needs_response' || dispute[1] === 'won' ? 0 : amount
          expected += amount - refunded - left
          return [
            stripe.message('payment_intent.succeeded', intent),
            ...(byPage ? [stripe.message('checkout.session.completed', session)] : []),
            ...told,
            ...(dispute ?? []).map((status, index) =>
              stripe.message(
                index === 0 ? 'charge.dispute.created' : 'charge.dispute.closed',
                disputeOf(intent, status),
              ),
            ),
          ]
        })
        // Some come twice, some are lost on the way and come again later, all are mixed, and some are taken at the same
        // time.
        const sent = messages.flatMap((message) => (next() < 0.4 ? [message, message] : [message]))
        const order = sent.map((message) => ({ message, rank: next() })).sort((a, b) => a.rank - b.rank)
        for (let at = 0; at < order.length; ) {
          const together = order.slice(at, at + 1 + Math.floor(next() * 3))
          await Promise.all(together.map(({ message }) => tell(world, message)))
          at += together.length
        }
        expect(await balanceOf(fresh.acme)).toBe(expected)
      },
    ),
    { numRuns: 25 },
  )
})
