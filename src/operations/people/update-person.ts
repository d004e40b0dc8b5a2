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
  summary: 'Update a person',
  description:
    'Updates the fields that are sent; null clears `tags` or `notes`, and a list of tags replaces ' +
    "the old one. Muting hides the person's mentions and cancels their pending deliveries.",
  tag: 'People',
  params: { id: idIn('aut') },
  body: z.strictObject({
    tags: z
      .array(tagIn)
      .max(PERSON_LIMITS.tags)
      .nullable()
      .optional()
      .meta({ description: 'Case-sensitive. Duplicates are stored once.' }),
    notes: textIn(0, PERSON_LIMITS.notes).nullable().optional(),
    muted: z.boolean().optional(),
  }),
  status: 200,
  output: person,
  errors: [],
  tool: { name: 'update_person', title: 'Update a person', destructive: false, idempotent: true },
  run: (context, { params, body }) => updatePerson(context, params.id, body),
})
