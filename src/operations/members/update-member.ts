import { z } from 'zod'
import { updateMember } from '../../commands/members/update-member.ts'
import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { member, role } from './shapes.ts'

export const updateMemberOperation = defineOperation({
  id: 'update-member',
  method: 'PATCH',
  path: '/v1/members/{id}',
  access: 'write',
  roles: MANAGING_ROLES,
  peopleOnly: true,
  summary: "Update a member's role",
  description:
    "Changes a member's role from their next request on. Only owners make owners, and the role owner " +
    'cannot be taken away.',
  tag: 'Members',
  params: { id: idIn('mem') },
  body: z.strictObject({ role }),
  status: 200,
  output: member,
  errors: [],
  // What an owner was before is not to be had back.
  tool: {
    hidden: 'It grants power over the workspace, which a person decides.',
  },
  run: (context, { params, body }) => updateMember(context, context.caller.user.id, params.id, body),
})
