import { z } from 'zod'
import { mergePeople } from '../../commands/people/merge-people.ts'
import { PERSON_LIMITS } from '../../domain/person/person.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { person } from './shapes.ts'

export const mergePersonOperation = defineOperation({
  id: 'merge-person',
  method: 'POST',
  path: '/v1/people/{id}/merge',
  access: 'write',
  summary: 'Merge a person into another',
  description:
    `Gives all accounts of the person to another, who has at most ${PERSON_LIMITS.accounts} then, and answers ` +
    `that one. Tags are united, up to ${PERSON_LIMITS.tags}, notes are joined, ` +
    (`which is refused beyond ${PERSON_LIMITS.notes} characters, and when either was muted the person is. The id ` +
      'of the person who was merged leads to the other from then on.'),
  tag: 'People',
  params: { id: idIn('aut') },
  body: z.strictObject({ into: idIn('aut').meta({ description: 'The person who remains.' }) }),
  status: 200,
  output: person,
  errors: ['conflict'],
  tool: { name: 'merge_person', title: 'Merge a person into another', destructive: true, idempotent: false },
  run: (context, { params, body }) => mergePeople(context, params.id, body.into),
})
