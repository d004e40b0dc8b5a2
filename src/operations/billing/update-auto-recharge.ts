import { z } from 'zod'
import { updateAutoRecharge } from '../../commands/payments/update-auto-recharge.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { THRESHOLD_CENTS, TOP_UP_CENTS } from '../../domain/payment/top-up.ts'
import { defineOperation } from '../definition.ts'
import { autoRecharge } from './shapes.ts'

export const updateAutoRechargeOperation = defineOperation({
  id: 'update-auto-recharge',
  method: 'PATCH',
  path: '/v1/billing/auto-recharge',
  access: 'write',
  roles: MANAGING_ROLES,
  summary: 'Update auto-recharge',
  description:
    'Sets whether, when and how much the saved payment method is charged. The balance is checked ' +
    'every minute. A charge is made at most once an hour, and after a failure once a day or when ' +
    'these settings change. Charges start with the first paid top-up, which saves a payment method.',
  tag: 'Billing',
  body: z.strictObject({
    enabled: z.boolean().optional(),
    thresholdCents: z
      .int()
      .min(THRESHOLD_CENTS.min)
      .max(THRESHOLD_CENTS.max)
      .optional()
      .meta({ description: 'The charge is made when the effective balance falls below this.' }),
    amountCents: z
      .int()
      .min(TOP_UP_CENTS.min)
      .max(TOP_UP_CENTS.max)
      .optional()
      .meta({ description: 'Amount of each charge in US cents.' }),
  }),
  status: 200,
  output: autoRecharge,
  errors: ['billing_not_configured'],
  tool: { hidden: 'It lets the service charge a card, which a person decides.' },
  run: (context, { body }) => updateAutoRecharge(context, body),
})
