import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { listInvoices } from '../../queries/payments/list-invoices.ts'
import { defineOperation } from '../definition.ts'
import { pageIn, pageOut } from '../shapes.ts'
import { invoice } from './shapes.ts'

export const listInvoicesOperation = defineOperation({
  id: 'list-invoices',
  method: 'GET',
  path: '/v1/billing/invoices',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: 'List invoices',
  description:
    'Returns the invoices of top-ups, newest first, as the payment provider keeps them. For ' +
    'automatic charges the provider mails a receipt instead.',
  tag: 'Billing',
  query: pageIn,
  status: 200,
  output: pageOut(invoice).meta({ id: 'InvoicePage', description: 'A page of invoices.' }),
  errors: ['billing_not_configured', 'upstream_unavailable', 'invalid_cursor', 'not_found'],
  tool: { name: 'list_invoices', title: 'List invoices', destructive: false, idempotent: true },
  run: (context, { query }) => listInvoices(context, query),
})
