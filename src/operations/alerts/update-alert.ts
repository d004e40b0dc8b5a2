import { z } from 'zod'
import { updateAlert } from '../../commands/alerts/update-alert.ts'
import { defineOperation } from '../definition.ts'
import { ruleFilterIn } from '../filter-shapes.ts'
import { clearable, idIn } from '../shapes.ts'
import { alert, channelIdsIn, eventIn, modeIn, nameIn, scheduleIn } from './shapes.ts'

export const updateAlertOperation = defineOperation({
  id: 'update-alert',
  method: 'PATCH',
  path: '/v1/alerts/{id}',
  access: 'write',
  summary: 'Change an alert rule',
  description:
    'Changes the fields that are sent; filter, channelIds and schedule are replaced as a whole. Null clears ' +
    'filter or channelIds, and brings the event name of the mode back. Another mode brings its own event name ' +
    'along where the rule has that of its mode, and drops what it does not need of the schedule. A change that ' +
    'changes nothing leaves the version as it is. It holds from the next scored mention on.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  body: z.strictObject({
    name: nameIn.optional(),
    mode: modeIn.optional(),
    event: eventIn.nullable().optional(),
    filter: clearable(ruleFilterIn, {}),
    channelIds: clearable(channelIdsIn, []),
    schedule: scheduleIn,
    enabled: z.boolean().optional(),
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuse the change when the rule has another version by now.' }),
  }),
  status: 200,
  output: alert,
  errors: ['stale_version', 'unknown_channel', 'hourly_email_unsupported'],
  tool: { name: 'update_alert', title: 'Change an alert rule', destructive: true, idempotent: true, openWorld: true },
  run: (context, { params, body }) => updateAlert(context, params.id, body),
})
