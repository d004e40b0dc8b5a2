import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import type { Invoice } from '../../domain/payment/invoice.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { readCustomerIds } from '../../store/wallet/billing-customers.ts'
import type { Invoices, QueryContext } from '../reading.ts'

export interface InvoiceView {
  id: string
  number: string | null
  status: Invoice['status']
  amountCents: number
  createdAt: string
}

type Refusals = 'billing_not_configured' | 'upstream_unavailable' | 'invalid_cursor' | 'not_found'

const SORT = 'invoices'

/** Newest first; empty before the first payment. Invoices of former billed owners follow those of the present one. */
export async function listInvoices(
  { db, workspaceId, payments }: Pick<QueryContext, 'db' | 'workspaceId' | 'payments'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: InvoiceView[]; nextCursor: string | null } | Refusal<Refusals>> {
  if (payments === null) return billingNotConfigured()
  const after = cursor === undefined ? null : readCursor(cursor)
  if (cursor !== undefined && after === null) return refuse('invalid_cursor', 'The cursor cannot be read.')
  const customers = await readCustomerIds(db, workspaceId)
  if (customers.length === 0) return after === null ? { data: [], nextCursor: null } : gone()
  if (after === null) return read(payments, customers, { limit, after })
  // The provider accepts the invoice of any customer as cursor, so its owner is checked.
  const last = await payments.getInvoice(after)
  if (last instanceof PaymentFault) return last.kind === 'gone' ? gone() : providerFailed()
  const begin = customers.indexOf(last.customerId ?? '')
  return begin === -1 ? gone() : read(payments, customers.slice(begin), { limit, after })
}

async function read(
  payments: Invoices,
  customers: readonly string[],
  { limit, after }: { limit: number; after: string | null },
): Promise<{ data: InvoiceView[]; nextCursor: string | null } | Refusal<'upstream_unavailable'>> {
  const data: InvoiceView[] = []
  for (const [place, customerId] of customers.entries()) {
    const page = await payments.listInvoices(customerId, {
      limit: limit - data.length,
      after: place === 0 ? after : null,
    })
    if (page instanceof PaymentFault && page.kind !== 'gone') return providerFailed()
    if (page instanceof PaymentFault) continue
    data.push(...page.invoices.map(shown))
    const isLast = place === customers.length - 1
    if (page.last !== null && (page.more || (data.length === limit && !isLast)))
      return { data, nextCursor: cursorAt(page.last) }
  }
  return { data, nextCursor: null }
}

function cursorAt(id: string): string {
  return Buffer.from(`${SORT} ${id}`).toString('base64url')
}

/** Other ids are not sent to the provider. */
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
