import { z } from 'zod'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { listGroups } from '../../queries/groups.ts'
import { defineOperation } from '../definition.ts'
import { listOut, pageIn, wholeIn } from '../shapes.ts'
import { externalIdIn, group } from './shapes.ts'

export const listGroupsOperation = defineOperation({
  id: 'list-groups',
  method: 'GET',
  path: '/v1/groups',
  access: 'read',
  summary: 'List groups',
  description: 'Groups, the default group first and then the oldest first: all of them, or with limit a page.',
  tag: 'Groups',
  query: {
    externalId: externalIdIn.optional().meta({ description: 'Only the group with exactly this externalId.' }),
    limit: wholeIn(1, 100).optional().meta({ description: 'How many to return; all when absent.' }),
    cursor: pageIn.cursor,
  },
  status: 200,
  output: listOut(group, 100_000)
    .extend({
      nextCursor: z
        .string()
        .max(500)
        .nullable()
        .optional()
        .meta({ description: 'With limit: send it as cursor to read on; null at the end. Absent otherwise.' }),
    })
    .meta({ id: 'GroupList', description: 'The groups that were asked for.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_groups', title: 'List groups', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const page = await listGroups(context, query)
    return isRefusal(page) || query.limit !== undefined ? page : { data: page.data }
  },
})
