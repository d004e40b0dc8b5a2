import { z } from 'zod'
import { createAlert } from '../../commands/alerts/create-alert.ts'
import { defineOperation } from '../definition.ts'
import { ruleFilterIn } from '../filter-shapes.ts'
import { alert, channelIdsIn, eventIn, modeIn, nameIn, scheduleIn } from './shapes.ts'

export const createAlertOperation = defineOperation({
  id: 'create-alert',
  method: 'POST',
  path: '/v1/alerts',
  access: 'write',
  summary: 'Create an alert rule',
  description:
    'Sends mentions that fit the filter to channels, from the next scored mention on. Without minRelevance only relevant mentions are sent; unscored ones never are. A rule without channels sends nothing until it has one.',
  tag: 'Alerts',
  body: z.strictObject({
    name: nameIn,
    mode: modeIn.default('instant'),
    event: eventIn.default('mention.matched'),
    filter: ruleFilterIn.default({}),
    channelIds: channelIdsIn.default([]),
    schedule: scheduleIn,
    enabled: z.boolean().default(true),
  }),
  status: 201,
  output: alert,
  errors: ['unknown_channel', 'not_found'],
  tool: { name: 'create_alert', title: 'Create an alert rule', destructive: false, idempotent: false },
  run: (context, { body }) => createAlert(context, body),
})
