import { listGroups } from '../../queries/groups.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { externalIdIn, group } from './shapes.ts'

export const listGroupsOperation = defineOperation({
  id: 'list-groups',
  method: 'GET',
  path: '/v1/groups',
  access: 'read',
  summary: 'List groups',
  description: 'All groups, the default group first and then the oldest first.',
  tag: 'Groups',
  query: { externalId: externalIdIn.optional().meta({ description: 'Only the group with exactly this externalId.' }) },
  status: 200,
  output: listOut(group, 100_000).meta({ id: 'GroupList', description: 'All groups that were asked for.' }),
  errors: [],
  tool: { name: 'list_groups', title: 'List groups', destructive: false, idempotent: true },
  run: async (context, { query }) => ({ data: await listGroups(context, query) }),
})
