import { z } from 'zod'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { WORKSPACE_LIMITS } from '../../domain/workspace/limits.ts'
import { defineOperation } from '../definition.ts'
import { ruleFilterIn } from '../filter-shapes.ts'
import { requestIdIn } from '../shapes.ts'
import { alert, channelIdsIn, eventIn, modeIn, nameIn, scheduleIn } from './shapes.ts'

export const createAlertOperation = defineOperation({
  id: 'create-alert',
  method: 'POST',
  path: '/v1/alerts',
  access: 'write',
  summary: 'Create an alert rule',
  description:
    'Sends mentions that match the filter to channels, from the next scored mention on, one by one or in digests. ' +
    'Without `minRelevance` only relevant mentions are sent. Unscored mentions are never sent, and e-mail receives ' +
    'none below relevance 40. Hourly digests are not sent by e-mail and are skipped when empty. A workspace has at ' +
    `most ${WORKSPACE_LIMITS.alerts} rules; one more is a conflict.`,
  tag: 'Alerts',
  body: z.strictObject({
    name: nameIn,
    mode: modeIn.default('instant'),
    event: eventIn.optional().meta({
      description:
        'The event name that receivers see; mention.matched for instant rules and digest for the others when absent.',
    }),
    filter: ruleFilterIn.default({}),
    channelIds: channelIdsIn.default([]),
    schedule: scheduleIn,
    enabled: z.boolean().default(true),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: alert,
  errors: ['unknown_channel', 'request_conflict', 'hourly_email_unsupported', 'not_found'],
  tool: { name: 'create_alert', title: 'Create an alert rule', destructive: false, idempotent: false, openWorld: true },
  run: (context, { body }) => createAlert(context, body),
})
