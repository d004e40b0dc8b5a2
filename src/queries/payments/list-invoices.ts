import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import type { Invoice } from '../../domain/payment/invoice.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { readCustomerId } from '../../store/payments.ts'
import type { Reading } from '../reading.ts'

/** An invoice as callers see it. */
export interface InvoiceView {
  id: string
  number: string | null
  status: Invoice['status']
  amountCents: number
  createdAt: string
}

type Refusals = 'billing_not_configured' | 'upstream_unavailable' | 'invalid_cursor' | 'not_found'

/** What the cursors of this list begin with, as everywhere the sort that they belong to. */
const SORT = 'invoices'

/** A page of the invoices of a workspace, newest first. One that has never paid has none. */
export async function listInvoices(
  { db, workspaceId, payments }: Pick<Reading, 'db' | 'workspaceId' | 'payments'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: InvoiceView[]; nextCursor: string | null } | Refusal<Refusals>> {
  if (payments === null) return billingNotConfigured()
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) return refuse('invalid_cursor', 'The cursor cannot be read.')
  const customerId = await readCustomerId(db, workspaceId)
  if (customerId === null) return after === null ? { data: [], nextCursor: null } : gone()
  // The provider would go on after an invoice of anybody.
  if (after !== null) {
    const last = await payments.getInvoice(after)
    if (last instanceof PaymentFault) return last.kind === 'gone' ? gone() : providerFailed()
    if (last.customerId !== customerId) return gone()
  }
  const page = await payments.listInvoices(customerId, { limit, after })
  if (page instanceof PaymentFault) return page.kind === 'gone' ? { data: [], nextCursor: null } : providerFailed()
  const last = page.invoices.at(-1)
  return { data: page.invoices.map(shown), nextCursor: page.more && last !== undefined ? Buffer.from(`${SORT} ${last.id}`).toString('base64url') : null }
}

/** What the provider calls an invoice. Anything else is not sent there. */
export const INVOICE_ID = /^in_[A-Za-z0-9_]{1,250}$/

function readCursor(cursor: string): string | null {
  const [named, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ')
  return named === SORT && rest.length === 0 && id !== undefined && INVOICE_ID.test(id) ? id : null
}

function gone() {
  return refuse('not_found', 'The last invoice of the page before is gone.')
}

function shown({ id, number, status, amountCents, createdAt }: Invoice): InvoiceView {
  return { id, number, status, amountCents, createdAt: createdAt.toISOString() }
}
