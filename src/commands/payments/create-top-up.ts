import { randomUUID } from 'node:crypto'
import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Payments } from '../../payments/contract.ts'
import { type BilledPerson, findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import { type Customer, readCustomer, storeCustomer } from '../../store/wallet/billing-customers.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import { beforeOnce, once } from '../once.ts'
import type { WritingContext } from '../writing.ts'
import { keyOf } from './key-of.ts'

export interface NewTopUp {
  /** US cents, within TOP_UP_CENTS. */
  amountCents: number
  successUrl: string
  requestId?: string | undefined
}

type Refusals = 'billing_not_configured' | 'no_billing_owner' | 'upstream_unavailable' | 'request_conflict'
type Answer = { url: string } | Refusal<Refusals>

/**
 * The wallet is credited when the provider confirms. The payment method belongs to the asking person, or to the billed
 * owner if a key asks.
 */
export async function createTopUp(
  writing: WritingContext,
  { requestId, ...body }: NewTopUp,
  askedBy: Uuid | null,
): Promise<Answer> {
  const { billing, payments } = writing
  if (payments === null || billing === 'unmetered') return billingNotConfigured()
  const asked = { operation: 'create-top-up', requestId, body }
  // Outside any transaction, and not for a repeated request.
  const before = await beforeOnce<Answer>(writing, asked)
  if (before !== null) return before
  const opened = await open(writing, payments, { requestId, ...body }, askedBy)
  if (isRefusal(opened)) return opened
  return once<Answer>(writing, asked, async (tx) => {
    const data = { amountCents: body.amountCents }
    await recordAudit(
      tx,
      { workspaceId: writing.workspaceId, kind: 'billing.top_up_started', target: NO_TARGET, data },
      writing.clock.now(),
    )
    return opened
  })
}

async function open(
  writing: WritingContext,
  payments: Payments,
  input: NewTopUp,
  askedBy: Uuid | null,
): Promise<Answer> {
  const { db, workspaceId, publicUrl } = writing
  const owner = await findBilledPerson(db, workspaceId)
  if (owner === null) return refuse('no_billing_owner', 'The workspace has no owner to bill.')
  const payerId = askedBy ?? owner.userId
  const mark = input.requestId ?? randomUUID()
  const checkout = async (customerId: string) => {
    const { amountCents, successUrl } = input
    return payments.openCheckout(
      { workspaceId, payerId, customerId, amountCents, successUrl, cancelUrl: publicUrl },
      keyOf('top-up', workspaceId, mark, String(amountCents), successUrl, customerId, payerId),
    )
  }
  const known = await readCustomer(db, workspaceId)
  const customerId =
    known === null
      ? await makeCustomer(writing, payments, owner, null)
      : await refreshCustomer(writing, payments, owner, known)
  if (customerId instanceof PaymentFault) return providerFailed()
  const url = await checkout(customerId)
  if (!(url instanceof PaymentFault)) return { url }
  if (url.kind !== 'gone') return providerFailed()
  // The customer was deleted there, or the installation changed its provider account.
  const again = await makeCustomer(writing, payments, owner, customerId)
  if (again instanceof PaymentFault) return providerFailed()
  const second = await checkout(again)
  return second instanceof PaymentFault ? providerFailed() : { url: second }
}

/** Of two customers created at once, returns the first that was stored. */
async function makeCustomer(
  writing: WritingContext,
  payments: Payments,
  { userId, email }: BilledPerson,
  before: string | null,
): Promise<string | PaymentFault> {
  const { workspaceId } = writing
  const made = await payments.createCustomer(
    { workspaceId, email },
    keyOf('customer', workspaceId, userId, email, before ?? ''),
  )
  return made instanceof PaymentFault ? made : keep(writing, { id: made, userId, email }, before)
}

async function refreshCustomer(
  writing: WritingContext,
  payments: Payments,
  owner: BilledPerson,
  known: Customer,
): Promise<string | PaymentFault> {
  const { userId, email } = owner
  if (known.email !== email) {
    const updated = await payments.updateCustomer(known.id, { email })
    if (updated instanceof PaymentFault)
      return updated.kind === 'gone' ? makeCustomer(writing, payments, owner, known.id) : updated
  }
  return keep(writing, { id: known.id, userId, email }, known.id)
}

/** Also records that a payment begins. */
function keep({ db, clock, workspaceId }: WritingContext, customer: Customer, before: string | null): Promise<string> {
  return db.transaction((tx) => storeCustomer(tx, workspaceId, customer, { before, at: clock.now() }))
}
