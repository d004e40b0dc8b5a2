import { MANAGING_ROLES, managesTeam, TEAM_LIMITS } from '../../domain/member/team.ts'
import { listInvitations } from '../../queries/members/list-invitations.ts'
import { type Caller, defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { invitation } from './shapes.ts'

export const listInvitationsOperation = defineOperation({
  id: 'list-invitations',
  method: 'GET',
  path: '/v1/members/invitations',
  access: 'read',
  roles: MANAGING_ROLES,
  summary: 'List invitations',
  description: 'Returns the invitations that can still be accepted, oldest first.',
  tag: 'Members',
  status: 200,
  output: listOut(invitation, TEAM_LIMITS.openInvitations).meta({
    id: 'InvitationList',
    description: 'All open invitations.',
  }),
  errors: [],
  tool: { name: 'list_invitations', title: 'List invitations', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listInvitations(context, { mayInvite: mayInvite(context.caller) }) }),
})

/** Who could make such an invitation anyway gains nothing from its link; all others would gain a role. */
function mayInvite(caller: Caller): boolean {
  return caller.kind !== 'api_key' && caller.scope === 'write' && managesTeam(caller.role)
}
