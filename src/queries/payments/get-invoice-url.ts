import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { readCustomerIds } from '../../store/wallet/billing-customers.ts'
import type { QueryContext } from '../reading.ts'
import { INVOICE_ID } from './list-invoices.ts'

/** The address alone gives access to the invoice. */
export async function getInvoiceUrl(
  { db, workspaceId, payments }: Pick<QueryContext, 'db' | 'workspaceId' | 'payments'>,
  id: string,
): Promise<{ url: string } | Refusal<'billing_not_configured' | 'upstream_unavailable' | 'not_found'>> {
  if (payments === null) return billingNotConfigured()
  const customers = await readCustomerIds(db, workspaceId)
  if (customers.length === 0 || !INVOICE_ID.test(id)) return noInvoice()
  const invoice = await payments.getInvoice(id)
  if (invoice instanceof PaymentFault) return invoice.kind === 'gone' ? noInvoice() : providerFailed()
  return invoice.customerId !== null && customers.includes(invoice.customerId) && invoice.url !== null
    ? { url: invoice.url }
    : noInvoice()
}

function noInvoice() {
  return refuse('not_found', 'There is no invoice with this id.')
}
