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
  summary: 'Change the role of a member',
  description:
    'Gives a member another role, from their next request on. Only owners make owners, and nobody can take that ' +
    'role away from one again.',
  tag: 'Members',
  params: { id: idIn('mem') },
  body: z.strictObject({ role }),
  status: 200,
  output: member,
  errors: [],
  // What an owner was before is not to be had back.
  tool: {
    hidden: 'It gives somebody power over the workspace; a person decides that, not a text that a model has read.',
  },
  run: (context, { params, body }) => updateMember(context, context.caller.user.id, params.id, body),
})
