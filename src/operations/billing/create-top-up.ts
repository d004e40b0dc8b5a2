import { z } from 'zod'
import { createTopUp } from '../../commands/payments/create-top-up.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { TOP_UP_CENTS } from '../../domain/payment/top-up.ts'
import { defineOperation } from '../definition.ts'
import { requestIdIn } from '../shapes.ts'
import { pageAddress } from './shapes.ts'

export const createTopUpOperation = defineOperation({
  id: 'create-top-up',
  method: 'POST',
  path: '/v1/billing/top-ups',
  access: 'write',
  roles: MANAGING_ROLES,
  summary: 'Top up the balance',
  description:
    'Creates a payment page, valid for 24 hours, on which a person pays. The balance increases when ' +
    'the provider reports the payment, not when the browser returns. The payment method is saved for ' +
    'auto-recharge. The longest-standing owner is billed.',
  tag: 'Billing',
  body: z.strictObject({
    amountCents: z.int().min(TOP_UP_CENTS.min).max(TOP_UP_CENTS.max).meta({ description: 'Amount in US cents.' }),
    successUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2000)
      .meta({
        description: 'Address to which the browser returns after payment.',
        examples: ['https://app.example.com/billing'],
      }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: pageAddress,
  errors: ['billing_not_configured', 'no_billing_owner', 'upstream_unavailable', 'request_conflict'],
  tool: { hidden: 'It moves money, which a person decides.' },
  run: (context, { body }) =>
    createTopUp(context, body, context.caller.kind === 'api_key' ? null : context.caller.user.id),
})
