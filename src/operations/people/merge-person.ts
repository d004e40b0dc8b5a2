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
  summary: 'Merge people',
  description:
    `Moves all accounts of the person to another, who may have at most ${PERSON_LIMITS.accounts} accounts, and ` +
    `returns that person. Tags are combined, up to ${PERSON_LIMITS.tags}. Notes are joined and refused above ` +
    `${PERSON_LIMITS.notes} characters. The result is muted if either person was. The id of the merged person then ` +
    'returns the other.',
  tag: 'People',
  params: { id: idIn('aut') },
  body: z.strictObject({ into: idIn('aut').meta({ description: 'Person that remains.' }) }),
  status: 200,
  output: person,
  errors: [],
  tool: { name: 'merge_person', title: 'Merge people', destructive: true, idempotent: false },
  run: (context, { params, body }) => mergePeople(context, params.id, body.into),
})
