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
  summary: 'Mute authors in a rule',
  description:
    "Adds authors to `excludeAuthors` in the rule's filter. The rule sends none of their mentions " +
    'from the next scored mention on. Authors that are listed already are ignored; a request that ' +
    'changes nothing keeps the version.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  body: z.strictObject({ authors: authorsIn(ALERT_LIMITS.author) }),
  status: 200,
  output: alert,
  errors: [],
  tool: { name: 'mute_alert_authors', title: 'Mute authors in a rule', destructive: false, idempotent: true },
  run: (context, { params, body }) => muteAuthors(context, params.id, body.authors),
})
