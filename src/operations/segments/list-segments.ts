import { SEGMENT_LIMITS } from '../../domain/person/person.ts'
import { listSegments } from '../../queries/people/segments.ts'
import { defineOperation } from '../definition.ts'
import { listOut } from '../shapes.ts'
import { segment } from './shapes.ts'

export const listSegmentsOperation = defineOperation({
  id: 'list-segments',
  method: 'GET',
  path: '/v1/segments',
  access: 'read',
  summary: 'List segments',
  description:
    'Returns every segment with its number of people, oldest first. Use its id as `segmentId` when ' +
    'listing or exporting people.',
  tag: 'Segments',
  status: 200,
  output: listOut(segment, SEGMENT_LIMITS.perWorkspace),
  errors: [],
  // Each is counted by a pass over all people: seconds of the database with many segments of many people.
  limit: { name: 'segments', perMinute: 30 },
  tool: { name: 'list_segments', title: 'List segments', destructive: false, idempotent: true },
  run: async (context) => ({ data: await listSegments(context) }),
})
