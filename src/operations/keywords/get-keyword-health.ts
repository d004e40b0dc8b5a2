import { getKeywordHealth } from '../../queries/keywords/health/get-keyword-health.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { healthLimit, healthQuery, keywordHealth } from './health-shapes.ts'

export const getKeywordHealthOperation = defineOperation({
  id: 'get-keyword-health',
  method: 'GET',
  path: '/v1/keywords/{id}/health',
  access: 'read',
  summary: "Get a keyword's health",
  description:
    'Returns how many matches are relevant, where noise comes from, what it costs, and which changes ' +
    'would remove it. Every suggestion is replayed on stored posts. Reports are cached for five ' +
    'minutes.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  query: healthQuery,
  status: 200,
  output: keywordHealth,
  errors: [],
  limit: healthLimit,
  tool: {
    name: 'get_keyword_health',
    title: "Get a keyword's health",
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query }) => getKeywordHealth(context, params.id, query),
})
