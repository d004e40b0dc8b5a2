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
    'Ends a membership immediately: sessions lose the workspace, apps the member allowed are revoked, and their open ' +
      'invitations are withdrawn.',
    "The address of every view's feed changes; read `feedUrl` again.",
    'Owners and admins may remove members, only owners may remove owners, and everybody may leave. The last owner ' +
      'cannot be removed.',
  ].join(' '),
  tag: 'Members',
  params: { id: idIn('mem') },
  status: 204,
  errors: ['last_owner'],
  tool: { hidden: 'It removes access, which a person decides.' },
  run: (context, { params }) => removeMember(context, context.caller.user.id, params.id),
})
