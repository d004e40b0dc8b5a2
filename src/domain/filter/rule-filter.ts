import type { ChannelKind } from '../channel/channel-kind.ts'
import { RELEVANCE_THRESHOLD } from '../mention/classification.ts'
import type { MentionFilter } from './fields.ts'

/**
 * What a rule with this filter sends: without a floor of its own only what is relevant. What is not scored never
 * passes.
 */
export function filterOfRule(filter: MentionFilter): MentionFilter {
  return { ...filter, minRelevance: filter.minRelevance ?? RELEVANCE_THRESHOLD }
}

/** The kinds of channel that get relevant mentions only, also from a rule whose own floor is lower. */
export const RELEVANT_ONLY_KINDS: readonly ChannelKind[] = ['email']
