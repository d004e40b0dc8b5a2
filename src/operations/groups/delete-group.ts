import { deleteGroup } from '../../commands/groups/delete-group.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteGroupOperation = defineOperation({
  id: 'delete-group',
  method: 'DELETE',
  path: '/v1/groups/{id}',
  access: 'write',
  summary: 'Delete a group',
  description:
    'Deletes the group with its keywords and mentions, and removes them from alert rules. Their cost ' +
    'stays in usage. The default group cannot be deleted.',
  tag: 'Groups',
  params: { id: idIn('grp') },
  status: 204,
  errors: ['default_group'],
  tool: { name: 'delete_group', title: 'Delete a group', destructive: true, idempotent: true },
  run: (context, { params }) => deleteGroup(context, params.id),
})
