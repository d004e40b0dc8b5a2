import { countMentions, type MentionCountQuery } from '../api/mentions.ts'

/** One cache entry for each filter, whoever counts. */
export function mentionCountQuery(query: MentionCountQuery) {
  return {
    queryKey: ['mentions', 'count', query],
    queryFn: ({ signal }: { signal: AbortSignal }) => countMentions(query, signal),
  }
}
