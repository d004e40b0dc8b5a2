export const MENTION_SORTS = ['newest', 'oldest', 'relevance', 'priority', 'published', 'engagement'] as const
export type MentionSort = (typeof MENTION_SORTS)[number]

/** Sorts whose ranks change cover posts of this many days before the first page. */
export const RANKED_DAYS = 30
