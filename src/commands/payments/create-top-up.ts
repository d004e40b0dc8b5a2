import { randomUUID } from 'node:crypto'
import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Payments } from '../../payments/contract.ts'
import { findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import type { Transaction } from '../../store/database.ts'
import { readCustomerId, storeCustomerId } from '../../store/payments.ts'
import { answerOnce } from '../../store/request-answers.ts'
import type { Writing } from '../writing.ts'
import { keyOf } from './key-of.ts'

export interface NewTopUp {
  /** In US cents, within TOP_UP_CENTS. */
  amountCents: number
  successUrl: string
  requestId?: string | undefined
}

type Refusals = 'billing_not_configured' | 'no_billing_owner' | 'upstream_unavailable' | 'request_conflict'
type Answer = { url: string } | Refusal<Refusals>

/** Nothing was answered before. Like every refusal it is not kept as an answer. */
const UNANSWERED = refuse('request_conflict', 'nothing was decided yet')

/** Opens a page on which a person pays money in. The wallet gains it when the payment provider says that it was paid. */
export async function createTopUp(writing: Writing, { requestId, ...body }: NewTopUp): Promise<Answer> {
  const { db, clock, workspaceId, billing, payments } = writing
  if (payments === null || billing === 'unmetered') return billingNotConfigured()
  const answered = (work: (tx: Transaction) => Promise<Answer>) =>
    db.transaction((tx) => answerOnce<Answer>(tx, { workspaceId, operation: 'create-top-up', requestId, body, at: clock.now() }, () => work(tx)))
  // The provider is asked between two transactions, and not at all for what was answered before.
  const early = await answered(async () => UNANSWERED)
  if (early !== UNANSWERED) return early
  const opened = await open(writing, payments, { requestId, ...body })
  if (isRefusal(opened)) return opened
  return answered(async () => opened)
}

async function open(writing: Writing, payments: Payments, input: NewTopUp): Promise<Answer> {
  const { db, workspaceId, publicUrl } = writing
  const owner = await findBilledPerson(db, workspaceId)
  if (owner === null) return refuse('no_billing_owner', 'The workspace has no owner to bill.')
  const mark = input.requestId ?? randomUUID()
  const checkout = async (customerId: string) => {
    const { amountCents, successUrl } = input
    return payments.openCheckout(
      { workspaceId, customerId, amountCents, successUrl, cancelUrl: publicUrl },
      keyOf('top-up', workspaceId, mark, String(amountCents), successUrl, customerId),
    )
  }
  const known = await readCustomerId(db, workspaceId)
  const customerId = known ?? (await makeCustomer(writing, payments, { email: owner.email, before: null }))
  if (customerId instanceof PaymentFault) return providerFailed()
  const url = await checkout(customerId)
  if (!(url instanceof PaymentFault)) return { url }
  if (url.kind !== 'gone') return providerFailed()
  // Somebody removed the customer there, or the installation has moved to another account of the provider's.
  const again = await makeCustomer(writing, payments, { email: owner.email, before: customerId })
  if (again instanceof PaymentFault) return providerFailed()
  const second = await checkout(again)
  return second instanceof PaymentFault ? providerFailed() : { url: second }
}

/** Answers who the workspace is at the provider; of two made at once the first to be stored. */
async function makeCustomer(
  { db, workspaceId }: Writing,
  payments: Payments,
  { email, before }: { email: string; before: string | null },
): Promise<string | PaymentFault> {
  const made = await payments.createCustomer({ workspaceId, email }, keyOf('customer', workspaceId, email, before ?? ''))
  if (made instanceof PaymentFault) return made
  return db.transaction((tx) => storeCustomerId(tx, workspaceId, made, before))
}
