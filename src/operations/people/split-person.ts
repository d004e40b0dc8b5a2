import { z } from 'zod'
import { splitPerson } from '../../commands/people/split-person.ts'
import { PERSON_LIMITS } from '../../domain/person/person.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { defineOperation } from '../definition.ts'
import { idIn, listOut } from '../shapes.ts'
import { person } from './shapes.ts'

export const splitPersonOperation = defineOperation({
  id: 'split-person',
  method: 'POST',
  path: '/v1/people/{id}/split',
  access: 'write',
  summary: 'Take the accounts of a person apart',
  description:
    'Makes accounts people of their own again: those that are named, or else all but the first. Each keeps the ' +
    'tags, the notes and the mute. Answers the person that remains and then the others. ' +
    'The first account, whose id the person has, stays.',
  tag: 'People',
  params: { id: idIn('aut') },
  body: z
    .strictObject({
      accountIds: z
        .array(idIn('aut'))
        .min(1)
        .max(PERSON_LIMITS.accounts)
        .optional()
        .meta({ description: 'Accounts of the person; all but the first when absent.' }),
    })
    .optional(),
  status: 200,
  output: listOut(person, PERSON_LIMITS.accounts),
  errors: ['conflict'],
  tool: { name: 'split_person', title: 'Take the accounts of a person apart', destructive: true, idempotent: false },
  run: async (context, { params, body }) => {
    const people = await splitPerson(context, params.id, body?.accountIds)
    return isRefusal(people) ? people : { data: people }
  },
})
