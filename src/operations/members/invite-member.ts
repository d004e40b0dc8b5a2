import { z } from 'zod'
import { inviteMember } from '../../commands/members/invite-member.ts'
import { INVITATION_MAILS } from '../../domain/member/invitation.ts'
import { MANAGING_ROLES, TEAM_LIMITS } from '../../domain/member/team.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { alreadyThere } from '../already-there.ts'
import { defineOperation } from '../definition.ts'
import { requestIdIn } from '../shapes.ts'
import { emailIn, invitation, invitedRole } from './shapes.ts'

export const inviteMemberOperation = defineOperation({
  id: 'invite-member',
  method: 'POST',
  path: '/v1/members/invitations',
  access: 'write',
  roles: MANAGING_ROLES,
  peopleOnly: true,
  summary: 'Invite a member',
  description: [
    'Invites an e-mail address for 48 hours. The link is sent by mail; if this installation sends no mail, the link ' +
      'is in the response.',
    'If the address has an open invitation, that invitation is returned unchanged with status 200 and nothing is sent.',
    `An address receives at most ${INVITATION_MAILS.most} invitations a day from all workspaces together.`,
    `A workspace has at most ${TEAM_LIMITS.openInvitations} open invitations.`,
  ].join(' '),
  tag: 'Members',
  body: z.strictObject({ email: emailIn, role: invitedRole.default('member'), requestId: requestIdIn.optional() }),
  status: 201,
  again: 200,
  output: invitation,
  errors: ['already_member', 'request_conflict'],
  // Every new invitation writes to somebody who did not ask for it.
  limit: { name: 'invitations', perMinute: 20 },
  tool: { hidden: 'It grants access, which a person decides.' },
  run: async (context, { body }) => {
    const invited = await inviteMember(context, context.caller.user.id, body)
    if (isRefusal(invited)) return invited
    return invited.wasThere ? alreadyThere(invited.invitation) : invited.invitation
  },
})
