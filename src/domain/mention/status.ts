/** The position is the stored number. */
export const MENTION_STATUSES = ['open', 'ignored', 'done'] as const
export type MentionStatus = (typeof MENTION_STATUSES)[number]
