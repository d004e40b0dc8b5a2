import { removeMember } from '../../commands/members/remove-member.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const removeMemberOperation = defineOperation({
  id: 'remove-member',
  method: 'DELETE',
  path: '/v1/members/{id}',
  access: 'write',
  peopleOnly: true,
  summary: 'Remove a member',
  description: [
    'Ends a membership at once: sessions lose the workspace, what clients were allowed in it is revoked, and open ' +
      'invitations of the member are withdrawn.',
    'Every feed of a view gets another address; read feedUrl again for who still may have it.',
    'Owners and admins remove others, owners only by owners; everybody may leave. The last owner can do neither.',
  ].join(' '),
  tag: 'Members',
  params: { id: idIn('mem') },
  status: 204,
  errors: ['last_owner'],
  tool: { hidden: 'It shuts somebody out; a person decides that, not a text that a model has read.' },
  run: (context, { params }) => removeMember(context, context.caller.user.id, params.id),
})
