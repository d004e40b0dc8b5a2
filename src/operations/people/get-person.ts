import { getPerson } from '../../queries/people/get-person.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { person } from './shapes.ts'

export const getPersonOperation = defineOperation({
  id: 'get-person',
  method: 'GET',
  path: '/v1/people/{id}',
  access: 'read',
  summary: 'Read a person',
  description:
    'One person, by their id or that of any of their accounts: the id of somebody who was merged leads to the ' +
    'person who took them in.',
  tag: 'People',
  params: { id: idIn('aut') },
  status: 200,
  output: person,
  errors: [],
  tool: { name: 'get_person', title: 'Read a person', destructive: false, idempotent: true },
  run: (context, { params }) => getPerson(context, params.id),
})
