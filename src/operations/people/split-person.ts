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
  summary: 'Split a person',
  description:
    'Turns accounts of a person into separate people: the named accounts, or all except the first. ' +
    'Each keeps tags, notes and mute. Returns the remaining person, then the new ones. The first ' +
    'account, which gives the person its id, stays.',
  tag: 'People',
  params: { id: idIn('aut') },
  body: z
    .strictObject({
      accountIds: z
        .array(idIn('aut'))
        .min(1)
        .max(PERSON_LIMITS.accounts)
        .optional()
        .meta({ description: 'Accounts of the person. Default: all except the first.' }),
    })
    .optional(),
  status: 200,
  output: listOut(person, PERSON_LIMITS.accounts),
  errors: [],
  tool: { name: 'split_person', title: 'Split a person', destructive: true, idempotent: false },
  run: async (context, { params, body }) => {
    const people = await splitPerson(context, params.id, body?.accountIds)
    return isRefusal(people) ? people : { data: people }
  },
})
