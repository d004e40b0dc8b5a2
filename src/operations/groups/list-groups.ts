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
  description: 'Returns all groups, the default group first, then oldest first. With `limit`, returns a page.',
  tag: 'Groups',
  query: {
    externalId: externalIdIn.optional().meta({ description: 'The group with exactly this `externalId`.' }),
    limit: wholeIn(1, 100).optional().meta({ description: 'Number to return. Default: all.' }),
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
        .meta({ description: 'With `limit`: cursor of the next page, null on the last. Absent otherwise.' }),
    })
    .meta({ id: 'GroupList', description: 'Groups.' }),
  errors: ['invalid_cursor', 'not_found'],
  tool: { name: 'list_groups', title: 'List groups', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const page = await listGroups(context, query)
    return isRefusal(page) || query.limit !== undefined ? page : { data: page.data }
  },
})
