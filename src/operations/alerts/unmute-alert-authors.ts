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
  summary: 'Unmute authors in a rule',
  description:
    "Removes authors from `excludeAuthors` in the rule's filter. Name them as they are listed or as " +
    'they were muted. Authors that are not listed are ignored; a request that changes nothing keeps ' +
    'the version.',
  tag: 'Alerts',
  params: { id: idIn('feed') },
  body: z.strictObject({ authors: authorsIn(ALERT_LIMITS.authorShown) }),
  status: 200,
  output: alert,
  errors: [],
  tool: { name: 'unmute_alert_authors', title: 'Unmute authors in a rule', destructive: true, idempotent: true },
  run: (context, { params, body }) => unmuteAuthors(context, params.id, body.authors),
})
