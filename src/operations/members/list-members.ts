import { TEAM_LIMITS } from '../../domain/member/team.ts'
import { listMembers } from '../../queries/members/list-members.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { member } from './shapes.ts'

export const listMembersOperation = defineOperation({
  id: 'list-members',
  method: 'GET',
  path: '/v1/members',
  access: 'read',
  summary: 'List members',
  description: 'Returns all members: owners, then admins, then others, each in order of joining.',
  tag: 'Members',
  status: 200,
  output: listOut(member, TEAM_LIMITS.people).meta({ id: 'MemberList', description: 'All members.' }),
  errors: [],
  tool: { name: 'list_members', title: 'List members', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listMembers(context) }),
})
