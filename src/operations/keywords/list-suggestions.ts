import { listSuggestions } from '../../queries/keywords/health/get-keyword-health.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { healthLimit, healthQuery, suggestionList } from './health-shapes.ts'

export const listSuggestionsOperation = defineOperation({
  id: 'list-suggestions',
  method: 'GET',
  path: '/v1/keywords/{id}/suggestions',
  access: 'read',
  summary: 'List what would keep noise out',
  description:
    'The suggestions of the health report alone, the most noise first; at most one of each type. The patch of ' +
    'each can be sent unchanged to change the keyword.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  query: healthQuery,
  status: 200,
  output: suggestionList,
  errors: [],
  limit: healthLimit,
  tool: {
    name: 'list_keyword_suggestions',
    title: 'List what would keep noise out',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query }) => listSuggestions(context, params.id, query),
})
