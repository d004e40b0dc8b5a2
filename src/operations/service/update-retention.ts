import { z } from 'zod'
import { changeRetention } from '../../commands/retention/change-retention.ts'
import { DELIVERIES_KEPT, MENTIONS_KEPT } from '../../domain/workspace/retention.ts'
import { defineOperation } from '../definition.ts'
import { wholeIn } from '../shapes.ts'
import { workspaceOut } from './workspace-shape.ts'

const FOLLOW = 'null follows the installation, whose period is the longest.'

export const updateRetentionOperation = defineOperation({
  id: 'update-retention',
  method: 'PATCH',
  path: '/v1/workspace/retention',
  access: 'write',
  roles: ['owner'],
  peopleOnly: true,
  summary: 'Update the retention',
  description:
    'Sets how long the workspace keeps mentions and deliveries. Older mentions are removed for good within minutes, ' +
    'without events or webhooks, and posts older than that are not stored any more. Counts of keywords, usage and ' +
    'the ledger stay.',
  tag: 'Service',
  body: z.strictObject({
    mentionDays: wholeIn(MENTIONS_KEPT.min, MENTIONS_KEPT.max)
      .nullable()
      .optional()
      .meta({ description: `Days that mentions are kept; ${FOLLOW}` }),
    deliveryDays: wholeIn(DELIVERIES_KEPT.min, DELIVERIES_KEPT.max)
      .nullable()
      .optional()
      .meta({ description: `Days that the log keeps deliveries; ${FOLLOW}` }),
  }),
  status: 200,
  output: workspaceOut,
  errors: [],
  tool: { hidden: 'It removes mentions for good, which a person decides.' },
  run: (context, { body }) => changeRetention(context, body),
})
