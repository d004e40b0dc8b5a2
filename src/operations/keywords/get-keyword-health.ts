import { getKeywordHealth } from '../../queries/keywords/health/get-keyword-health.ts'
import { defineOperation } from '../definition.ts'
import { idIn } from '../shapes.ts'
import { healthLimit, healthQuery, keywordHealth } from './health-shapes.ts'

export const getKeywordHealthOperation = defineOperation({
  id: 'get-keyword-health',
  method: 'GET',
  path: '/v1/keywords/{id}/health',
  access: 'read',
  summary: 'Report on the health of a keyword',
  description:
    'How much of what a keyword matches is relevant, where the noise comes from, what it costs, and which changes ' +
    'would keep it out. Each suggestion was replayed on stored posts with the rules of matching. Answers are kept ' +
    'for five minutes.',
  tag: 'Keywords',
  params: { id: idIn('kw') },
  query: healthQuery,
  status: 200,
  output: keywordHealth,
  errors: [],
  limit: healthLimit,
  tool: {
    name: 'get_keyword_health',
    title: 'Report on the health of a keyword',
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
  run: (context, { params, query }) => getKeywordHealth(context, params.id, query),
})
