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
  summary: 'Change a group',
  description:
    'Changes the fields that are sent; null clears externalId or context. The default group has no context of its ' +
    'own: it is described by the company profile.',
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
  tool: { name: 'update_group', title: 'Change a group', destructive: false, idempotent: true },
  run: (context, { params, body }) => updateGroup(context, params.id, body),
})
