import { z } from 'zod'
import { updatePerson } from '../../commands/people/update-person.ts'
import { PERSON_LIMITS } from '../../domain/person/person.ts'
import { defineOperation } from '../definition.ts'
import { idIn, textIn } from '../shapes.ts'
import { person, tagIn } from './shapes.ts'

export const updatePersonOperation = defineOperation({
  id: 'update-person',
  method: 'PATCH',
  path: '/v1/people/{id}',
  access: 'write',
  summary: 'Change what is said of a person',
  description:
    'Changes the fields that are sent; null clears tags or notes, and a list of tags replaces the one before. ' +
    'Muting hides the mentions of the person and stops their deliveries, ' +
    'also those that wait.',
  tag: 'People',
  params: { id: idIn('aut') },
  body: z.strictObject({
    tags: z
      .array(tagIn)
      .max(PERSON_LIMITS.tags)
      .nullable()
      .optional()
      .meta({ description: 'Letter case matters; what is given twice is kept once.' }),
    notes: textIn(0, PERSON_LIMITS.notes).nullable().optional(),
    muted: z.boolean().optional(),
  }),
  status: 200,
  output: person,
  errors: [],
  tool: { name: 'update_person', title: 'Change what is said of a person', destructive: false, idempotent: true },
  run: (context, { params, body }) => updatePerson(context, params.id, body),
})
