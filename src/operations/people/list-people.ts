import { listPeople } from '../../queries/people/list-people.ts'
import { defineOperation } from '../definition.ts'
import { countedOut, wholeIn } from '../shapes.ts'
import { peopleSearchFrom, peopleSearchQuery, person } from './shapes.ts'

const LIMIT_MAX = 100

export const listPeopleOperation = defineOperation({
  id: 'list-people',
  method: 'GET',
  path: '/v1/people',
  access: 'read',
  summary: 'List people',
  description:
    'Returns the authors of scored mentions who match every condition, with their figures, tags and ' +
    'notes. `total` is the number before paging. Muted people are included.',
  tag: 'People',
  query: {
    ...peopleSearchQuery,
    limit: wholeIn(1, LIMIT_MAX).default(25).meta({ description: 'Number to return.' }),
    offset: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).meta({ description: 'Number to skip.' }),
  },
  status: 200,
  output: countedOut(person, LIMIT_MAX),
  errors: ['not_found'],
  tool: { name: 'list_people', title: 'List people', destructive: false, idempotent: true },
  run: (context, { query: { limit, offset, ...search } }) =>
    listPeople(context, peopleSearchFrom(search), { limit, offset }),
})
