import { z } from 'zod'
import { updateGroup } from '../../commands/groups/update-group.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { contextIn, externalIdIn, group, nameIn } from './shapes.ts'

export const updateGroupOperation = defineOperation({
  id: 'update-group',
  method: 'PATCH',
  path: '/v1/groups/{id}',
  access: 'write',
  summary: 'Update a group',
  description:
    'Updates the fields that are sent; null clears `externalId` or `context`. The default group has ' +
    'no context: the company profile describes it.',
  tag: 'Groups',
  params: { id: idIn('grp') },
  body: z.strictObject({
    name: nameIn.optional(),
    externalId: externalIdIn.nullable().optional(),
    context: contextIn.nullable().optional(),
  }),
  status: 200,
  output: group,
  errors: ['duplicate_group', 'default_group_context'],
  tool: { name: 'update_group', title: 'Update a group', destructive: false, idempotent: true },
  run: (context, { params, body }) => updateGroup(context, params.id, body),
})
