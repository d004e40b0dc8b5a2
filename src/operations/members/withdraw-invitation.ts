import { withdrawInvitation } from '../../commands/members/withdraw-invitation.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const withdrawInvitationOperation = defineOperation({
  id: 'withdraw-invitation',
  method: 'DELETE',
  path: '/v1/members/invitations/{id}',
  access: 'write',
  roles: MANAGING_ROLES,
  peopleOnly: true,
  summary: 'Withdraw an invitation',
  description: 'Withdraws an open invitation. Its link stops working.',
  tag: 'Members',
  params: { id: idIn('inv') },
  status: 204,
  errors: [],
  tool: { name: 'withdraw_invitation', title: 'Withdraw an invitation', destructive: true, idempotent: true },
  run: (context, { params }) => withdrawInvitation(context, context.caller.user.id, params.id),
})
