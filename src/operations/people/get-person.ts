import { getPerson } from '../../queries/people/get-person.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { person } from './shapes.ts'

export const getPersonOperation = defineOperation({
  id: 'get-person',
  method: 'GET',
  path: '/v1/people/{id}',
  access: 'read',
  summary: 'Get a person',
  description:
    'Returns one person by their id or the id of any of their accounts. The id of a merged person ' +
    'returns the person they were merged into.',
  tag: 'People',
  params: { id: idIn('aut') },
  status: 200,
  output: person,
  errors: [],
  tool: { name: 'get_person', title: 'Get a person', destructive: false, idempotent: true },
  run: (context, { params }) => getPerson(context, params.id),
})
