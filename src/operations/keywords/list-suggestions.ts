import { listSuggestions } from '../../queries/keywords/health/get-keyword-health.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { healthLimit, healthQuery, suggestionList } from './health-shapes.ts'

export const listSuggestionsOperation = defineOperation({
  id: 'list-suggestions',
  method: 'GET',
  path: '/v1/keywords/{id}/suggestions',
  access: 'read',
  summary: 'List suggestions',
  description:
    'Returns the suggestions of the health report, largest effect first, at most one of each type. ' +
    'Send the patch of a suggestion unchanged to update the keyword.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  query: healthQuery,
  status: 200,
  output: suggestionList,
  errors: [],
  limit: healthLimit,
  tool: {
    name: 'list_keyword_suggestions',
    title: 'List suggestions',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query }) => listSuggestions(context, params.id, query),
})
