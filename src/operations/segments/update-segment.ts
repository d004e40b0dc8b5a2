import { z } from 'zod'
import { updateSegment } from '../../commands/segments/update-segment.ts'
import { defineOperation } from '../definition.ts'
import { peopleFilterIn } from '../people/shapes.ts'
import { clearable, idIn } from '../shapes.ts'
import { descriptionIn, nameIn, segment } from './shapes.ts'

export const updateSegmentOperation = defineOperation({
  id: 'update-segment',
  method: 'PATCH',
  path: '/v1/segments/{id}',
  access: 'write',
  summary: 'Update a segment',
  description:
    'Updates the fields that are sent; `filter` is replaced as a whole. Null clears `description` or ' +
    '`filter`. An update that changes nothing keeps the version.',
  tag: 'Segments',
  params: { id: idIn('seg') },
  body: z.strictObject({
    name: nameIn.optional(),
    description: descriptionIn.optional(),
    filter: clearable(peopleFilterIn, {}),
    ifVersion: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Refuses the update if the segment has another version.' }),
  }),
  status: 200,
  output: segment,
  errors: ['stale_version', 'duplicate_segment'],
  tool: { name: 'update_segment', title: 'Update a segment', destructive: true, idempotent: true },
  run: (context, { params, body }) => updateSegment(context, params.id, body),
})
