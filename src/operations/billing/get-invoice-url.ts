import { z } from 'zod'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { getInvoiceUrl } from '../../queries/payments/get-invoice-url.ts'
import { defineOperation } from '../definition.ts'
import { pageAddress } from './shapes.ts'

export const getInvoiceUrlOperation = defineOperation({
  id: 'get-invoice-url',
  method: 'GET',
  path: '/v1/billing/invoices/{id}/url',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: "Get an invoice's address",
  description: 'Returns the address of a page that shows the invoice. Anybody with the address can open it.',
  tag: 'Billing',
  params: {
    id: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'The id of an invoice, as listed.', examples: ['in_1PgafyB7WZ01zgkWSjxsAJo3'] }),
  },
  status: 200,
  output: pageAddress,
  errors: ['billing_not_configured', 'upstream_unavailable'],
  tool: { name: 'get_invoice_url', title: "Get an invoice's address", destructive: false, idempotent: true },
  run: (context, { params }) => getInvoiceUrl(context, params.id),
})
