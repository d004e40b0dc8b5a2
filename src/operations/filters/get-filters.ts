import { getFilters } from '../../queries/filters.ts'
import { defineOperation } from '../definition.ts'
import { filters } from './shapes.ts'

export const getFiltersOperation = defineOperation({
  id: 'get-filters',
  method: 'GET',
  path: '/v1/filters',
  access: 'read',
  summary: 'Get workspace filters',
  description: 'Returns the terms, authors, repositories and subreddits whose posts are dropped for every keyword.',
  tag: 'Filters',
  status: 200,
  output: filters,
  errors: [],
  tool: { name: 'get_filters', title: 'Get workspace filters', destructive: false, idempotent: true },
  run: (context) => getFilters(context),
})
