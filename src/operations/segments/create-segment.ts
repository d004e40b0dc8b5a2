import { z } from 'zod'
import { createSegment } from '../../commands/segments/create-segment.ts'
import { SEGMENT_LIMITS } from '../../domain/person/person.ts'
import { defineOperation } from '../definition.ts'
import { peopleFilterIn } from '../people/shapes.ts'
import { requestIdIn } from '../shapes.ts'
import { descriptionIn, nameIn, segment } from './shapes.ts'

export const createSegmentOperation = defineOperation({
  id: 'create-segment',
  method: 'POST',
  path: '/v1/segments',
  access: 'write',
  summary: 'Save a segment',
  description:
    `Saves a filter of people under a name. Its people are selected at each request. A workspace has at most ` +
    `${SEGMENT_LIMITS.perWorkspace} segments.`,
  tag: 'Segments',
  body: z.strictObject({
    name: nameIn,
    description: descriptionIn.optional(),
    filter: peopleFilterIn.default({}).meta({ description: 'Default: everybody.' }),
    requestId: requestIdIn.optional(),
  }),
  status: 201,
  output: segment,
  errors: ['duplicate_segment', 'request_conflict'],
  tool: { name: 'create_segment', title: 'Save a segment', destructive: false, idempotent: false },
  run: (context, { body }) => createSegment(context, body),
})
