import { getGroup } from '../../queries/groups.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { group } from './shapes.ts'

export const getGroupOperation = defineOperation({
  id: 'get-group',
  method: 'GET',
  path: '/v1/groups/{id}',
  access: 'read',
  summary: 'Get a group',
  description: 'Returns one group with its number of keywords.',
  tag: 'Groups',
  params: { id: idIn('grp') },
  status: 200,
  output: group,
  errors: [],
  tool: { name: 'get_group', title: 'Get a group', destructive: false, idempotent: true },
  run: (context, { params }) => getGroup(context, params.id),
})
