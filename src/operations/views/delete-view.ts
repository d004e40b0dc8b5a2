import { deleteView } from '../../commands/views/delete-view.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteViewOperation = defineOperation({
  id: 'delete-view',
  method: 'DELETE',
  path: '/v1/views/{id}',
  access: 'write',
  summary: 'Delete a saved view',
  description: 'Deletes the view and its feed. Its mentions stay.',
  tag: 'Views',
  params: { id: idIn('vw') },
  status: 204,
  errors: [],
  tool: { name: 'delete_view', title: 'Delete a saved view', destructive: true, idempotent: true },
  run: (context, { params }) => deleteView(context, params.id),
})
