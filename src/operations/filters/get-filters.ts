import { getFilters } from '../../queries/filters.ts'
import { defineOperation } from '../definition.ts'
import { filters } from './shapes.ts'

export const getFiltersOperation = defineOperation({
  id: 'get-filters',
  method: 'GET',
  path: '/v1/filters',
  access: 'read',
  summary: 'Read the workspace filters',
  description: 'What is dropped for every keyword of the workspace: terms, authors, repositories and subreddits.',
  tag: 'Filters',
  status: 200,
  output: filters,
  errors: [],
  tool: { name: 'get_filters', title: 'Read the workspace filters', destructive: false, idempotent: true },
  run: (context) => getFilters(context),
})
