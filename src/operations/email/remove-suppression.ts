import { removeSuppression } from '../../commands/channels/email/remove-suppression.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const removeSuppressionOperation = defineOperation({
  id: 'remove-suppression',
  method: 'DELETE',
  path: '/v1/suppressions/{id}',
  access: 'write',
  roles: MANAGING_ROLES,
  summary: 'Allow mail to a recipient again',
  description:
    'Ends the suppression of a recipient that bounced; a further bounce suppresses the address again. Only the ' +
    'operator of the installation can end a suppression after a complaint.',
  tag: 'Channels',
  params: { id: idIn('sup') },
  status: 204,
  errors: ['recipient_suppressed'],
  tool: { name: 'remove_suppression', title: 'Allow mail to a recipient again', destructive: true, idempotent: true },
  run: (context, { params }) => removeSuppression(context, params.id),
})
