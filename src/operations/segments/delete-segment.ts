import { deleteSegment } from '../../commands/segments/delete-segment.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'

export const deleteSegmentOperation = defineOperation({
  id: 'delete-segment',
  method: 'DELETE',
  path: '/v1/segments/{id}',
  access: 'write',
  summary: 'Delete a segment',
  description: 'Deletes the segment. Its people stay unchanged.',
  tag: 'Segments',
  params: { id: idIn('seg') },
  status: 204,
  errors: [],
  tool: { name: 'delete_segment', title: 'Delete a segment', destructive: true, idempotent: true },
  run: (context, { params }) => deleteSegment(context, params.id),
})
