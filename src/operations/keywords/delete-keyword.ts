import { deleteKeyword } from '../../commands/keywords/delete-keyword.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteKeywordOperation = defineOperation({
  id: 'delete-keyword',
  method: 'DELETE',
  path: '/v1/keywords/{id}',
  access: 'write',
  summary: 'Delete a keyword',
  description:
    'Deletes the keyword and its mentions, and removes it from the filters of alert rules. Its cost ' +
    'stays in usage.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  status: 204,
  errors: [],
  tool: { name: 'delete_keyword', title: 'Delete a keyword', destructive: true, idempotent: true },
  run: (context, { params }) => deleteKeyword(context, params.id),
})
