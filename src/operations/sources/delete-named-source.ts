import { deleteNamedSource } from '../../commands/sources/delete-named-source.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteNamedSourceOperation = defineOperation({
  id: 'delete-named-source',
  method: 'DELETE',
  path: '/v1/named-sources/{id}',
  access: 'write',
  summary: 'Stop reading a feed or forum',
  description: 'Stops reading the feed or forum for this workspace. Mentions that it brought stay.',
  tag: 'Sources',
  params: { id: idIn('src') },
  status: 204,
  errors: [],
  tool: { name: 'delete_named_source', title: 'Stop reading a feed or forum', destructive: true, idempotent: true },
  run: (context, { params }) => deleteNamedSource(context, params.id),
})
