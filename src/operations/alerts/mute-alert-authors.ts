import { z } from 'zod'
import { muteAuthors } from '../../commands/alerts/mute-authors.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { ALERT_LIMITS, alert, authorsIn } from './shapes.ts'

export const muteAlertAuthorsOperation = defineOperation({
  id: 'mute-alert-authors',
  method: 'POST',
  path: '/v1/alerts/{id}/mute',
  access: 'write',
  summary: 'Mute authors in an alert rule',
  description:
    'Adds people to excludeAuthors of the filter of the rule, which from the next scored mention on sends nothing ' +
    'by them. Those who are there already stay; a request that changes nothing leaves the version as it is.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  body: z.strictObject({ authors: authorsIn(ALERT_LIMITS.author) }),
  status: 200,
  output: alert,
  errors: [],
  tool: { name: 'mute_alert_authors', title: 'Mute authors in an alert rule', destructive: false, idempotent: true },
  run: (context, { params, body }) => muteAuthors(context, params.id, body.authors),
})
