import { getSegment } from '../../queries/people/segments.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { segment } from './shapes.ts'

export const getSegmentOperation = defineOperation({
  id: 'get-segment',
  method: 'GET',
  path: '/v1/segments/{id}',
  access: 'read',
  summary: 'Get a segment',
  description: 'Returns one segment with its filter and number of people.',
  tag: 'Segments',
  params: { id: idIn('seg') },
  status: 200,
  output: segment,
  errors: [],
  tool: { name: 'get_segment', title: 'Get a segment', destructive: false, idempotent: true },
  run: (context, { params }) => getSegment(context, params.id),
})
