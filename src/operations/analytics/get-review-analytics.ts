import { isRefusal } from '../../domain/refusal/refusal.ts'
import { getReviews, type ReviewFigures } from '../../queries/analytics/get-reviews.ts'
import { defineOperation } from '../definition.ts'
import { ANALYTICS_LIMIT, analyticsQuery, analyticsRequestOf, changeOf, windowsOut } from './request.ts'
import { reviews } from './shapes.ts'

export const getReviewAnalyticsOperation = defineOperation({
  id: 'get-review-analytics',
  method: 'GET',
  path: '/v1/analytics/reviews',
  access: 'read',
  summary: 'Summarize reviews',
  description:
    'Returns the star ratings of reviews published in a time window: in total, by app, by storefront ' +
    'and by version.',
  tag: 'Analytics',
  query: analyticsQuery,
  status: 200,
  output: reviews,
  errors: ['not_found'],
  limit: ANALYTICS_LIMIT,
  tool: { name: 'get_review_analytics', title: 'Summarize reviews', destructive: false, idempotent: true },
  run: async (context, { query }) => {
    const asked = analyticsRequestOf(query, context.clock.now())
    if (isRefusal(asked)) return asked
    const found = await getReviews(context, asked.search, asked.windows)
    return isRefusal(found)
      ? found
      : { ...windowsOut(asked.windows), ...found, change: found.previous && changes(found.current, found.previous) }
  },
})

function changes(now: ReviewFigures, before: ReviewFigures) {
  return {
    reviews: changeOf(now.reviews, before.reviews),
    mean: now.mean === null || before.mean === null ? null : now.mean - before.mean,
  }
}
