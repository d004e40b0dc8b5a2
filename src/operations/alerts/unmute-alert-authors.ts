import { z } from 'zod'
import { unmuteAuthors } from '../../commands/alerts/unmute-authors.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { ALERT_LIMITS, alert, authorsIn } from './shapes.ts'

export const unmuteAlertAuthorsOperation = defineOperation({
  id: 'unmute-alert-authors',
  method: 'POST',
  path: '/v1/alerts/{id}/unmute',
  access: 'write',
  summary: 'Unmute authors in an alert rule',
  description:
    'Takes people out of excludeAuthors of the filter of the rule, named as they are shown there or as they were ' +
    'muted. Those who are not there are passed over; a request that changes nothing leaves the version as it is.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  body: z.strictObject({ authors: authorsIn(ALERT_LIMITS.authorShown) }),
  status: 200,
  output: alert,
  errors: [],
  tool: { name: 'unmute_alert_authors', title: 'Unmute authors in an alert rule', destructive: true, idempotent: true },
  run: (context, { params, body }) => unmuteAuthors(context, params.id, body.authors),
})
