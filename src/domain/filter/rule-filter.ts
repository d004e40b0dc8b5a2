import type { ChannelKind } from '../channel/channel-kind.ts'
import { RELEVANCE_THRESHOLD } from '../mention/classification.ts'
import type { MentionFilter } from './fields.ts'

/** Adds the default least relevance. Unscored mentions never pass. */
export function filterOfRule(filter: MentionFilter): MentionFilter {
  return { ...filter, minRelevance: filter.minRelevance ?? RELEVANCE_THRESHOLD }
}

/** These kinds get relevant mentions only, whatever the rule's filter. */
export const RELEVANT_ONLY_KINDS: readonly ChannelKind[] = ['email']
