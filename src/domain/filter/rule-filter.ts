import { RELEVANCE_THRESHOLD } from '../mention/classification.ts'
import type { MentionFilter } from './fields.ts'

/** What a rule with this filter sends: without a floor of its own only what is relevant. What is not scored never passes. */
export function filterOfRule(filter: MentionFilter): MentionFilter {
  return { ...filter, minRelevance: filter.minRelevance ?? RELEVANCE_THRESHOLD }
}
