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
  summary: 'Update an alert rule',
  description:
    'Updates the fields that are sent and keeps the others. `filter`, `channelIds` and `schedule` ' +
    'are replaced as a whole. Null clears `filter` and `channelIds`, and resets `event` to the name ' +
    'of the mode. A new mode brings its own event name if the rule has the name of its old mode. It ' +
    'also drops the parts of the schedule that it does not use. An update that changes nothing keeps the ' +
    'version. It applies from the next scored mention on.',
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
    ifVersion: z.int().min(1).optional().meta({ description: 'Refuses the update if the rule has another version.' }),
  }),
  status: 200,
  output: alert,
  errors: ['stale_version', 'unknown_channel', 'hourly_email_unsupported'],
  tool: { name: 'update_alert', title: 'Update an alert rule', destructive: true, idempotent: true, openWorld: true },
  run: (context, { params, body }) => updateAlert(context, params.id, body),
})
