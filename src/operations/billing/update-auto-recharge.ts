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
  summary: 'Change the auto-recharge',
  description:
    'Chooses whether the saved payment method is charged when the effective balance falls below a threshold, and ' +
    'how much. Looked at every minute; charged at most once an hour, and after a failure once a day or when ' +
    'something here changes. Before the first top-up nothing can be charged: it begins then.',
  tag: 'Billing',
  body: z.strictObject({
    enabled: z.boolean().optional(),
    thresholdCents: z
      .int()
      .min(THRESHOLD_CENTS.min)
      .max(THRESHOLD_CENTS.max)
      .optional()
      .meta({ description: 'Charged when the effective balance is below this.' }),
    amountCents: z
      .int()
      .min(TOP_UP_CENTS.min)
      .max(TOP_UP_CENTS.max)
      .optional()
      .meta({ description: 'How much is charged, in US cents.' }),
  }),
  status: 200,
  output: autoRecharge,
  errors: ['billing_not_configured'],
  tool: { hidden: 'It moves money by itself from then on; a person decides that, not a text that a model has read.' },
  run: (context, { body }) => updateAutoRecharge(context, body),
})
