import { z } from 'zod'
import { previewAlert } from '../../commands/alerts/preview-alert.ts'
import { SAMPLE_MAX } from '../../queries/alerts/count-sendable.ts'
import { defineOperation } from '../definition.ts'
import { ruleFilterIn } from '../filter-shapes.ts'
import { mention } from '../mentions/shapes.ts'
import { countOut, dayOut } from '../shapes.ts'

/** The longest time that is looked back on. */
const DAYS_MAX = 30

export const previewAlertOperation = defineOperation({
  id: 'preview-alert',
  method: 'POST',
  path: '/v1/alerts/preview',
  access: 'write',
  summary: 'Preview an alert rule',
  description:
    'Returns how many mentions an instant rule with this filter would have sent to a webhook in the ' +
    'last days, today included. Mentions that are ignored, done or written by muted people are not ' +
    'counted. Nothing is changed or sent.',
  tag: 'Alerts',
  body: z.strictObject({
    filter: ruleFilterIn.default({}),
    days: z.int().min(1).max(DAYS_MAX).default(7).meta({ description: 'Days (UTC) to count, today included.' }),
  }),
  status: 200,
  output: z.strictObject({
    days: z.int().min(1).max(DAYS_MAX),
    matched: countOut.meta({ description: 'Number of mentions that the rule would have sent.' }),
    perDay: z
      .array(z.strictObject({ day: dayOut, count: countOut }))
      .max(DAYS_MAX)
      .meta({ description: 'Count for each day of the match, oldest first, days without mentions included.' }),
    sample: z.array(mention).max(SAMPLE_MAX).meta({ description: 'The newest of these mentions.' }),
  }),
  errors: ['not_found'],
  tool: { name: 'preview_alert', title: 'Preview an alert rule', destructive: false, idempotent: true },
  run: (context, { body }) => previewAlert(context, body.filter, body.days),
})
