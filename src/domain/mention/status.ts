/** What a team has made of a mention; the position is its number in the store. */
export const MENTION_STATUSES = ['open', 'ignored', 'done'] as const
export type MentionStatus = (typeof MENTION_STATUSES)[number]
